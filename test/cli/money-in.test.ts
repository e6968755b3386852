import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../support/executable'
import { openGatewayStandIn, secrets, type GatewayStandIn } from '../payments/gateway-stand-ins'
import { openCardService } from '../../src/business/payments/card-desk'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let bank: GatewayStandIn
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
  bank = openGatewayStandIn('zarinpal')
})
afterEach(async () => {
  terminal.close()
  await bank.stop()
})

const set = async (words: readonly string[], stdin: string) =>
  await run(['gateway', 'set', ...words, '--secret-stdin', '--json'], {
    data: terminal.data,
    stdin,
  })
const setMain = async () =>
  await set(['main', '--kind', 'zarinpal', '--option', `base=${bank.base}`], secrets.zarinpal)

describe('a gateway', () => {
  test('is set up, shown, tried and removed; its secret is sealed and in no output', async () => {
    const made = await setMain()
    expect(made.json<object>()).toEqual({
      object: 'card_gateway',
      name: 'main',
      kind: 'zarinpal',
      paid_in: 'coins',
      options: { base: bank.base },
      has_secret: true,
      secret: '•••',
    })
    const list = await terminal.run('gateway', 'list')
    const show = await terminal.run('gateway', 'show', 'main')
    const trail = await terminal.run('trail', 'list', '--json')
    expect(list.stdout).toContain(`base=${bank.base}`)
    expect(made.stdout + list.stdout + show.stdout + trail.stdout).not.toContain(secrets.zarinpal)
    expect(readFileSync(join(terminal.data, 'chapar.db')).includes(secrets.zarinpal)).toBe(false)
    process.env['CHAPAR_URL'] = 'https://ai.example.com'
    const tried = await terminal.run('gateway', 'test', 'main')
    expect(tried.stdout).toContain(`${bank.base}/pg/StartPay/A`)
    expect(bank.heard[0]?.body).toContain('https://ai.example.com/app/return/pay_')
    bank.answerOnce({ data: [], errors: { code: -14 } })
    expect((await terminal.run('gateway', 'test', 'main')).stderr).toContain('its code -14')
    expect((await terminal.run('gateway', 'remove', 'main')).code).toBe(0)
    expect((await terminal.run('gateway', 'remove', 'main')).stderr).toContain('no gateway main')
  })

  test('keeps its secret when only an option changes', async () => {
    await setMain()
    const again = await terminal.run('gateway', 'set', 'main', '--kind', 'zarinpal')
    expect(again.code).toBe(0)
    expect((await terminal.run('gateway', 'test', 'main')).code).toBe(0)
  })

  test.each([
    [['bank', '--kind', 'zibal'], 'zibal', 'and not bank'],
    [['a', '--kind', 'zarinpal'], 'short', 'other lines: merchant id, 36 characters'],
    [['a', '--kind', 'stripe'], 'pk_live_000000000', 'other lines: secret key'],
    [['a', '--kind', 'stripe'], 'sk_test_000000000\nsecond', 'other lines'],
    [['a', '--kind', 'zibal', '--option', 'colour=red'], 'zibal', 'no option colour'],
    [
      ['a', '--kind', 'zibal', '--option', 'base=http://example.com'],
      'zibal',
      'not an https address',
    ],
    [
      ['a', '--kind', 'stripe', '--option', 'currency=eur'],
      'sk_test_000000000',
      'needs --option per-dollar=',
    ],
  ] as const)('%p with such a secret is refused', async (words, secret, why) => {
    const refused = await set(words, secret)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain(why)
  })

  test('needs a secret at first, and stays of its kind', async () => {
    const bare = await terminal.run('gateway', 'set', 'main', '--kind', 'zibal')
    expect(bare.stderr).toContain('needs its secret')
    await setMain()
    const other = await terminal.run('gateway', 'set', 'main', '--kind', 'zibal')
    expect(other.stderr).toContain('main is a zarinpal gateway')
  })
})

/** One payment of 50,000 coins that waits at the bank. */
async function startPayment(): Promise<{ id: string; reference: string }> {
  await terminal.run('account', 'create', '--name', 'Sara')
  await terminal.run('rate', 'set', '100000')
  await setMain()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  const desk = openCardService({
    gateways: storage.cardGateways,
    payments: storage.payments,
    store: storage.cardPayments,
    slips: storage.trialSlips,
    clock: systemClock,
    rialsPerCoin: () => 10,
    maxRateAgeMs: () => null,
    isDemo: false,
    onTrial: () => {},
    onCredited: () => {},
    onRefused: () => {},
    onFault: () => {},
    send: async ({ url, method, headers, body }) => {
      const reply = await fetch(url, { method, headers, body })
      return { status: reply.status, text: await reply.text() }
    },
  })
  const { payment } = await desk.start({
    account: 1 as never,
    person: null,
    gateway: 'main',
    pays: { coins: 50_000, shownRate: '100000' },
    mobile: null,
    description: 'test',
    origin: 'http://localhost',
  })
  await storage.close()
  return { id: payment.id, reference: payment.reference ?? '' }
}

describe('payments', () => {
  test('that wait are listed, settled by an operator, and summed up with all that came in', async () => {
    const { id, reference } = await startPayment()
    const waits = await terminal.json<{ data: object[] }>('payments', 'list', '--state', 'started')
    expect(waits.data).toMatchObject([{ id, state: 'started', coins: 50_000, charged: 500_000 }])
    expect((await terminal.run('gateway', 'remove', 'main')).stderr).toContain('1 payments wait')
    expect(await terminal.json('payments', 'settle', id)).toMatchObject({ state: 'started' })
    bank.decide(reference, 'paid')
    const settled = await terminal.json<object>('payments', 'settle', id)
    expect(settled).toMatchObject({
      id,
      state: 'credited',
      usd: '0.500000',
      card: '502229******5995',
      reference: `zarinpal:${reference}`,
    })
    expect(await terminal.json<object>('payments', 'settle', id)).toEqual(settled)
    expect(await terminal.json('payments', 'show', id)).toEqual(settled)
    await terminal.run('topup', '1', '--coins', '100000', '--reference', 'by-hand')
    await terminal.run('topup', '1', '3', '--reference', 'dollars')
    const all = await terminal.json<{ data: object[] }>('payments', 'list')
    expect(all.data).toMatchObject([
      { reference: 'by-hand', state: 'credited' },
      { id, by: 'gateway:main' },
    ])
    const { ways, ...total } = await terminal.json<{ ways: object[] }>('payments', 'summary')
    expect(total).toMatchObject({ count: 3, usd: '4.500000', coins: 150_000 })
    expect(ways).toEqual([
      { way: 'card', count: 1, usd: '0.500000', coins: 50_000 },
      { way: 'coins', count: 1, usd: '1.000000', coins: 100_000 },
      { way: 'code', count: 0, usd: '0.000000', coins: 0 },
      { way: 'dollars', count: 1, usd: '3.000000', coins: 0 },
    ])
    expect((await terminal.run('payments', 'summary')).stdout).toContain('$4.500000')
    expect((await terminal.run('audit')).code).toBe(0)
    const trail = await terminal.run('trail', 'list')
    expect(trail.stdout).toContain('account.topup')
    expect(trail.stdout).toContain('payment.start')
  })

  test('of a gateway that is gone cannot be asked about, and an unknown one is said so', async () => {
    const { id } = await startPayment()
    expect((await terminal.run('gateway', 'remove', 'main', '--yes')).code).toBe(0)
    expect((await terminal.run('payments', 'settle', id)).stderr).toContain('main')
    expect((await terminal.run('payments', 'show', 'pay_0')).stderr).toContain('no payment pay_0')
  })
})

describe('redeem codes', () => {
  test('are printed once, listed by their last digits, and revoked by number or batch', async () => {
    const made = await terminal.run('code', 'create', '--usd', '10', '--count', '3', '--csv')
    const [heading, ...rows] = made.stdout.trimEnd().split('\n')
    expect(heading).toBe('id,batch,usd,code,expires')
    const codes = rows.map((row) => row.split(',')[3] ?? '')
    expect(new Set(codes).size).toBe(3)
    for (const code of codes) expect(code).toMatch(/^\d{4}(?:-\d{4}){4}$/)
    expect(made.stderr).toContain('nobody can read them again')
    const list = await terminal.run('code', 'list')
    const bytes = readFileSync(join(terminal.data, 'chapar.db'))
    for (const code of codes) {
      expect(list.stdout).toContain(code.slice(-4))
      expect(list.stdout).not.toContain(code)
      expect(bytes.includes(code) || bytes.includes(code.replaceAll('-', ''))).toBe(false)
    }
    expect((await terminal.run('code', 'revoke', '1')).stdout).toContain('1 code revoked')
    expect((await terminal.run('code', 'revoke', '1')).stderr).toContain('nothing is left')
    expect((await terminal.run('code', 'revoke', '9')).stderr).toContain('no code 9')
    const { data } = await terminal.json<{ data: { batch: string; state: string }[] }>(
      'code',
      'list',
    )
    expect(data.map(({ state }) => state)).toEqual(['unused', 'unused', 'revoked'])
    const batch = data[0]?.batch ?? ''
    expect((await terminal.run('code', 'revoke', '--batch', batch)).stdout).toContain('2 codes')
  })

  test.each([
    [['--usd', '0'], 'worth more than nothing'],
    [['--usd', '1', '--count', '10001'], '1 to 10000 codes'],
    [['--usd', '1', '--expires', '2020-01-01'], 'has passed'],
  ] as const)('%p are refused', async (words, why) => {
    const refused = await terminal.run('code', 'create', ...words)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(why)
  })
})
