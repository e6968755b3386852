import { expect, test } from 'bun:test'
import type { AccountId } from '../../src/domain/ids'
import { parsePhone, type Phone } from '../../src/domain/phone'
import { openInviteNotice } from '../../src/business/users/invite-notice'
import { handClock } from '../storage/folder'

const phoneOf = (number: number): Phone => {
  const phone = parsePhone(`0912${String(number).padStart(7, '0')}`)
  if (phone === null) throw new Error('no such number')
  return phone
}
const account = (id: number) => id as AccountId

test('an account tells ten numbers a day, each once, and all accounts together 500', async () => {
  const clock = handClock()
  const told: string[] = []
  const faults: unknown[] = []
  const tell = openInviteNotice({
    clock,
    text: (phone) => `come, ${phone}`,
    send(phone, text) {
      expect(text).toBe(`come, ${phone}`)
      told.push(phone)
      return told.length === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve()
    },
    onFault: (fault) => faults.push(fault),
  })
  for (let number = 0; number < 12; number++)
    for (let again = 0; again < 3; again++) tell({ account: account(1), phone: phoneOf(number) })
  expect(told).toEqual(Array.from({ length: 10 }, (_, number) => phoneOf(number)))
  await Promise.resolve()
  expect(faults).toHaveLength(1)
  for (let id = 2; id < 100; id++)
    for (let number = 0; number < 10; number++)
      tell({ account: account(id), phone: phoneOf(number) })
  expect(told).toHaveLength(500)
  clock.set(clock.now() + 86_400_000)
  tell({ account: account(1), phone: phoneOf(0) })
  expect(told).toHaveLength(501)
})

test('processes of one service count together', () => {
  const clock = handClock()
  const sent: string[] = []
  const heard: ((invited: { account: AccountId; phone: Phone }) => void)[] = []
  const tellers = [0, 1].map((self) =>
    openInviteNotice({
      clock,
      text: (phone) => phone,
      send: async (phone) => void sent.push(phone),
      onFault() {},
      others: {
        tell: (invited) => heard.forEach((told, at) => at !== self && told(invited)),
        onTold: (told) => void heard.push(told),
      },
    }),
  )
  for (let number = 0; number < 24; number++)
    tellers[number % 2]?.({ account: account(1), phone: phoneOf(number >> 1) })
  expect(sent).toEqual(Array.from({ length: 10 }, (_, number) => phoneOf(number)))
})
