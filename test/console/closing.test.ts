import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { attention } from '../../src/business/operations/attention'
import { closeAccount } from '../../src/business/accounts/close-account'
import type { AccountId, PersonId, ProjectId } from '../../src/domain/ids'
import { parseUsd, zeroUsd } from '../../src/domain/money'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { handClock } from '../storage/folder'
import { operatorKey } from './operator-visitor'
import { openVisitor, printedWord, type Visitor } from './visitor'

let gateway: TestGateway
let sara: Visitor
beforeEach(async () => {
  gateway = await openTestGateway({ web: true })
  sara = openVisitor(gateway)
  await sara.signIn('09123456789')
})
afterEach(() => gateway.close())

interface Me {
  readonly person: { readonly id: PersonId }
  readonly account: { readonly id: AccountId; readonly name: string }
}
const me = async (who = sara) => (await who.send('GET', '/me')).body as Me
const topUp = async (usd: string) => {
  const { id: account } = (await me()).account
  const amount = parseUsd(usd)
  await gateway.storage.directory.deposit({ account, amount, kind: 'topup', reference: 'first' })
  gateway.gateway.changed()
}
const newKey = async () => {
  const { data } = (await sara.send('GET', '/projects')).body as { data: { id: number }[] }
  const made = await sara.send('POST', '/keys', { project: data[0]?.id, name: 'laptop' })
  return (made.body as { secret: string }).secret
}
const statusOf = async (key: string) =>
  (await fetch(`${gateway.url}/me`, { headers: { authorization: `Bearer ${key}` } })).status
const close = (name: string | null) => sara.send('POST', '/account/close', { name })

describe('closing an account', () => {
  test('asks for the balance first: it is given up by typing the name, in any digits', async () => {
    await topUp('3')
    const key = await newKey()
    expect(await statusOf(key)).toBe(200)
    expect(await close(null)).toMatchObject({
      status: 400,
      body: { error: { code: 'balance_left' } },
    })
    expect((await close('somebody')).body as object).toMatchObject({
      error: { code: 'account_name_differs' },
    })
    expect(await statusOf(key)).toBe(200)
    const { account, person } = await me()
    expect(await close('۰۹۱۲ ۶۷۸۹')).toMatchObject({ status: 200, body: { closed: true, keys: 1 } })
    expect(sara.cookie()).toBe('')
    expect(await statusOf(key)).toBe(401)
    const found = await gateway.storage.directory.findAccount(account.id)
    expect(found).toMatchObject({
      balance: zeroUsd,
      status: 'suspended',
      name: `closed ${account.id}`,
    })
    expect(await gateway.storage.people.find(person.id)).toMatchObject({ phone: null })
    const [line] = await gateway.storage.trail.list({
      subject: `account:${account.id}`,
      before: null,
      max: 1,
    })
    expect(line).toMatchObject({
      who: `person:${person.id}`,
      what: 'account.close',
      before: { balance_usd: '3.000000' },
      after: { balance_usd: '0.000000', keys: 1 },
    })
    expect((await gateway.audit()).differences).toEqual([])
  })

  test('lets whoever had it begin anew, as somebody else', async () => {
    const before = await me()
    await newKey()
    const unread = async () => ((await sara.send('GET', '/me')).body as { unread: number }).unread
    for (let tries = 0; tries < 2000 && (await unread()) === 0; tries++) await Bun.sleep(5)
    expect(await unread()).toBe(1)
    await sara.send('POST', '/verification', {
      first_name: 'Sara',
      last_name: 'Rezaei',
      national_code: '0012345679',
      birth_date: '1990-03-21',
      consent: true,
    })
    await close(null)
    expect(await gateway.storage.verifications.find(before.account.id)).toBeNull()
    const told = await gateway.storage.notices.list({ pending: false, most: 9 })
    expect(told.filter(({ notice }) => notice.kind === 'key_made')).toEqual([])
    // The codes of that number went with it: another one may be asked for at once.
    const again = openVisitor(gateway)
    await again.signIn('09123456789')
    const after = await me(again)
    expect(after.account.id).not.toBe(before.account.id)
    expect(after.person.id).not.toBe(before.person.id)
  })

  test('is the owner’s, and leaves members who have another account as they are', async () => {
    const reza = openVisitor(gateway)
    await reza.signIn('09120000001')
    await sara.send('POST', '/members/invitations', { phone: '09120000001', role: 'member' })
    await reza.send('POST', '/invitations/1/accept')
    expect(await reza.send('POST', '/account/close', { name: null })).toMatchObject({
      status: 403,
    })
    const { person } = await me(reza)
    await close(null)
    expect(await gateway.storage.people.find(person.id)).toMatchObject({ phone: '+989120000001' })
    expect((await reza.send('GET', '/me')).status).toBe(401)
  })

  test('waits for running calls, and happens once', async () => {
    const { account } = await me()
    const store = gateway.storage.closings
    expect(
      closeAccount(store, { account: account.id, giveUp: null, held: parseUsd('0.01') }),
    ).rejects.toMatchObject({ code: 'account_busy' })
    await closeAccount(store, { account: account.id, giveUp: null, held: zeroUsd })
    expect(
      closeAccount(store, { account: account.id, giveUp: null, held: zeroUsd }),
    ).rejects.toMatchObject({ code: 'account_closed' })
  })

  test('is not credited with what is paid long after: an operator is told, and decides', async () => {
    const clock = handClock()
    const late = await openTestGateway({ web: true, clock })
    try {
      const reza = openVisitor(late)
      await reza.signIn('09123450003')
      const { storage } = late
      await storage.payments.setRate('100000', 'test')
      const pays = { gateway: 'bank', coins: 50_000, rate: '100000' }
      const { body } = await reza.send('POST', '/top-ups', pays)
      const { id, page } = body as { id: string; page: string }
      const { account } = await me(reza)
      clock.set(clock.now() + 21 * 60_000)
      await reza.prove()
      expect((await reza.send('POST', '/account/close', { name: null })).status).toBe(200)
      await fetch(new URL(page, new URL(late.url).origin), {
        method: 'POST',
        body: new URLSearchParams({ do: 'pay', word: printedWord(late.logs()) }),
        redirect: 'manual',
      })
      const settled = await late.payments.cards.settle(id as never).catch(String)
      expect(settled).toContain('is closed')
      expect(await storage.cardPayments.find(id as never)).toMatchObject({
        state: 'started',
        code: 'not_credited',
      })
      expect((await storage.directory.findAccount(account.id))?.balance).toBe(zeroUsd)
      const needs = await attention({
        storage,
        now: clock.now(),
        untrustedProxy: null,
        unnamedHost: null,
        isDemo: false,
      })
      expect(needs).toContainEqual({ kind: 'payments_not_credited', count: 1, details: [id] })
    } finally {
      await late.close()
    }
  })

  test('waits for whoever is at the bank: what is paid there is not lost', async () => {
    const { account } = await me()
    await gateway.storage.payments.setRate('100000', 'test')
    const pays = { gateway: 'bank', coins: 50_000, rate: '100000' }
    const { body } = await sara.send('POST', '/top-ups', pays)
    const { id, page } = body as { id: string; page: string }
    expect(await close(null)).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_waits' } },
    })
    const origin = new URL(gateway.url).origin
    await fetch(new URL(page, origin), {
      method: 'POST',
      body: new URLSearchParams({ do: 'refuse' }),
      redirect: 'manual',
    })
    await sara.send('GET', `/top-ups/${id}`)
    expect((await close(null)).status).toBe(200)
    expect(await gateway.storage.directory.findAccount(account.id)).toMatchObject({
      isClosed: true,
    })
  })
})

describe('a closed account', () => {
  test('takes no change, no money, no project and no key, and is not opened by undoing', async () => {
    const { account } = await me()
    const { data } = (await sara.send('GET', '/projects')).body as { data: { id: number }[] }
    const { directory, payments, trail } = gateway.storage
    await directory.setAccount(account.id, { status: 'suspended' })
    await directory.setAccount(account.id, { status: 'active' })
    await directory.setAccount(account.id, { status: 'suspended' })
    const [suspended] = await trail.list({ subject: `account:${account.id}`, before: null, max: 1 })
    await directory.setAccount(account.id, { status: 'active' })
    await payments.setRate('100000', 'test')
    await close(null)

    const key = await operatorKey(gateway, 'owner')
    const refusedBy = async (method: string, path: string, body: object) => {
      const url = `${new URL(gateway.url).origin}/admin/v1${path}`
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
      const { error } = (await response.json()) as { error?: { code: string } }
      return [response.status, error?.code]
    }
    const at = `/accounts/${account.id}`
    for (const [method, path, body] of [
      ['PATCH', at, { status: 'active' }],
      ['POST', `${at}/topups`, { usd: '1', reference: 'late' }],
      ['POST', `${at}/topups`, { coins: 100_000, reference: 'late coins' }],
      ['POST', `${at}/projects`, { name: 'new' }],
      ['POST', `/projects/${data[0]?.id}/keys`, { name: 'new' }],
    ] as const)
      expect([path, await refusedBy(method, path, body)]).toEqual([path, [409, 'account_closed']])
    expect(await refusedBy('POST', `/trail/${suspended?.id}/undo`, {})).toEqual([
      409,
      'changed_since',
    ])
    // Also for whoever looked before it was closed.
    const project = data[0]?.id as ProjectId
    for (const late of [
      directory.setAccount(account.id, { status: 'active' }),
      directory.createProject({ account: account.id, name: 'new' }),
      directory.createKey({ project, name: 'new', prefix: 'sk' }, 'hash'),
      directory.deposit({
        account: account.id,
        amount: parseUsd('1'),
        kind: 'topup',
        reference: 'late',
      }),
    ])
      expect(late).rejects.toThrow('is closed')
    expect((await gateway.audit()).differences).toEqual([])
  })
})

test('name and floor are the owner’s to change', async () => {
  const change = { name: ' خانه ', notice_floor_usd: '1.5' }
  expect(await sara.send('PATCH', '/account', change)).toMatchObject({
    status: 200,
    body: { name: 'خانه', notice_floor_usd: '1.500000' },
  })
  expect((await me()).account.name).toBe('خانه')
})

test('the export holds everything of the account and no secret', async () => {
  await topUp('2')
  const key = await newKey()
  const call = await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  })
  await call.arrayBuffer()
  await sara.send('POST', '/verification', {
    first_name: 'Sara',
    last_name: 'Rezaei',
    national_code: '0012345679',
    birth_date: '1990-03-21',
    consent: true,
  })
  const { headers, body } = await sara.send('GET', '/account/export')
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="account-\d+-.*\.json"$/,
  )
  expect(body as object).toMatchObject({
    object: 'account_export',
    people: [{ phone: '0912 345 6789', role: 'owner' }],
    verification: { state: 'submitted', first_name: 'Sara' },
    projects: [{ name: 'پروژهٔ ۱' }],
    keys: [{ name: 'laptop' }],
    revoked_keys: [],
    statement: [{ kind: 'charges' }, { kind: 'topup', usd: '2.000000' }],
    requests: [{ model: 'sandbox/echo-priced', status: 'success' }],
  })
  const text = JSON.stringify(body)
  expect(text).not.toContain(key)
  expect(text).not.toContain('0012345679')
})
