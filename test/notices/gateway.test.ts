import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseUsd } from '../../src/domain/money'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask, openTestGateway } from '../support/gateway'
import { openReceiver, receiverSecret, type Receiver } from '../support/receiver'
import { hang, openStandIn, wholeReply, type StandIn } from '../support/stand-in'

let receiver: Receiver
let vendor: StandIn
beforeEach(() => {
  receiver = openReceiver()
  vendor = openStandIn(() => wholeReply('ok'))
})
afterEach(async () => {
  await receiver.close()
  await vendor.close()
})

const variables = (): Record<string, string> => ({
  CHAPAR_NOTICE_WEBHOOK: receiver.url,
  CHAPAR_NOTICE_SECRET: receiverSecret,
})

/** What one call to the stand-in costs, in dollars: 100 tokens in, 50 out. */
const callUsd = 0.00045

test('50 parallel calls that pass a limit are told once at each threshold, to whoever listens', async () => {
  const chapar = await openTestGateway({
    vendorUrl: vendor.url,
    env: { ...variables(), CHAPAR_NOTICE_FLOOR: '99.99' },
    account: { dailyCap: parseUsd(String(callUsd * 50)) },
    // All of its calls fit the reservation, and only what they cost is counted.
    project: { monthlyBudget: parseUsd(String(callUsd * 60)) },
  })
  try {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => chapar.post(ask('priced', { max_tokens: 50 }))),
    )
    for (const answer of answers) await answer.text()
    const refused = answers.filter(({ status }) => status !== 200).length
    // Those that were refused for what others held come now, one after the other.
    for (let again = 0; again < refused; again++)
      await (await chapar.post(ask('priced', { max_tokens: 1 }))).text()
    await chapar.rest()
    await receiver.until(4)
    await Bun.sleep(50)
    const told = receiver.posted.map(
      ({ body, signed }) => `${body.kind} ${body.threshold} ${signed}`,
    )
    expect(told.sort()).toEqual([
      'account_daily_cap 100 true',
      'account_daily_cap 80 true',
      'balance_floor null true',
      'project_monthly_budget 80 true',
    ])
    expect((await chapar.audit()).differences).toEqual([])
  } finally {
    await chapar.close()
  }
})

test('killed at any moment, a gateway that starts again tells what it had not told, under the same id', async () => {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const calls = 3
  try {
    const key = await setUp(data, vendor.url, '100')
    const call = (serving: Serving) =>
      fetch(`${serving.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(ask('priced', { max_tokens: 50 })),
      })
    await run(['key', 'set', '1', '--spend-limit', String(callUsd * calls)], { data })
    receiver.answer(() => hang({} as never, {} as never))
    const first = await serve(['--data', data], variables())
    for (let each = 0; each < calls; each++) expect((await call(first)).status).toBe(200)
    const before = [...(await receiver.until(2))]
    first.kill('SIGKILL')
    await first.exited

    const pending = async () => {
      const listed = await run(['notices', 'list', '--pending', '--json'], { data })
      return listed.json<{ data: { id: string; threshold: number }[] }>().data
    }
    const left = await pending()
    expect(left.map(({ threshold }) => threshold)).toEqual([100, 80])

    receiver.answer(() => new Response())
    const second = await serve(['--data', data], variables())
    await receiver.until(4)
    for (let tries = 0; tries < 50 && (await pending()).length > 0; tries++) await Bun.sleep(5)
    expect(await pending()).toEqual([])
    second.kill('SIGTERM')
    expect(await second.exited).toBe(0)
    const after = receiver.posted.slice(2)
    const ids = (posts: readonly { id: string }[]) => posts.map(({ id }) => id).sort()
    expect(ids(after)).toEqual(ids(before))
    expect(ids(after)).toEqual(ids(left))
    expect(receiver.posted.every(({ signed }) => signed)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
