import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('account', 'create', '--name', 'Sara')
})
afterEach(() => terminal.close())

const balance = async () =>
  (await terminal.json<{ balance: { usd: string } }>('account', 'show', '1')).balance.usd

describe('rate', () => {
  test('is set, shown, and remembered', async () => {
    expect(await terminal.run('rate', 'show')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no rate of coins yet') as string,
    })
    await terminal.run('rate', 'set', '900000')
    expect((await terminal.run('rate', 'set', '1050000.5')).stdout).toBe(
      '1050000.5 coins per dollar, from now on\n',
    )
    expect(await terminal.json<object>('rate', 'show')).toEqual({
      object: 'rate',
      coins_per_usd: '1050000.5',
      valid_from: expect.stringMatching(/Z$/) as string,
      by: expect.stringMatching(/^command:./) as string,
    })
    const { data } = await terminal.json<{ data: { coins_per_usd: string }[] }>('rate', 'history')
    expect(data.map((each) => each.coins_per_usd)).toEqual(['1050000.5', '900000'])
  })

  test.each(['0', '-5', 'many'])('%s is refused as misuse', async (rate) => {
    expect((await terminal.run('rate', 'set', rate)).code).toBe(2)
    expect((await terminal.run('rate', 'show')).code).toBe(1)
  })
})

describe('topup --coins', () => {
  test('turns coins into dollars at the rate of now, once for each reference', async () => {
    await terminal.run('rate', 'set', '1050000')
    const pay = ['topup', '1', '--coins', '500,000', '--reference', 'bank-1']
    const paid = await terminal.json<object>(...pay)
    expect(paid).toMatchObject({
      account: 1,
      payment: expect.stringMatching(/^pay_[0-9a-f]{32}$/) as string,
      coins: 500_000,
      rate: '1050000',
      usd: '0.476190476',
      reference: 'bank-1',
      repeated: false,
      balance: { usd: '0.476190476' },
    })
    await terminal.run('rate', 'set', '7')
    expect(await terminal.json<object>(...pay)).toEqual({ ...paid, repeated: true })
    expect((await terminal.run(...pay)).stdout).toContain('bank-1 was counted before')
    expect(await balance()).toBe('0.476190476')
  })

  test('refuses less than the minimum', async () => {
    await terminal.run('rate', 'set', '1050000')
    expect(await terminal.run('topup', '1', '--coins', '49999')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('50000') as string,
    })
    expect(await balance()).toBe('0.000000')
  })

  test.each([
    ['neither dollars nor coins', [], 1],
    ['both', ['5', '--coins', '50000'], 1],
    ['half a coin', ['--coins', '50000.5'], 2],
    ['commas out of place', ['--coins', '50,00,0'], 2],
    ['a note on coins', ['--coins', '50000', '--note', 'x'], 1],
  ])('refuses %s', async (_, words, code) => {
    await terminal.run('rate', 'set', '1050000')
    expect((await terminal.run('topup', '1', ...words)).code).toBe(code)
    expect(await balance()).toBe('0.000000')
  })
})

describe('account adjust', () => {
  test('takes a balance below zero only where that is confirmed', async () => {
    await terminal.run('account', 'adjust', '1', '5', '--reason', 'a gift')
    const down = ['account', 'adjust', '1', '-7', '--reason', 'typed too much'] as const
    const refused = await terminal.run(...down)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('is $5.000000, and would be −$2.000000: confirm with --yes')
    expect((await terminal.run(...down, '--json')).json<object>()).toMatchObject({
      error: { code: 'balance_below_zero' },
    })
    expect(await terminal.json<object>(...down, '--yes')).toMatchObject({
      balance: { usd: '-2.000000' },
    })
    // Upwards nothing is asked, wherever it ends.
    expect((await terminal.run('account', 'adjust', '1', '1', '--reason', 'back')).code).toBe(0)
    const nobody = await terminal.run('account', 'adjust', '9', '-1', '--reason', 'x')
    expect(nobody.stderr).toBe('chapar: there is no account 9\n')
  })

  test('keeps a note from the customer, who reads a reason', async () => {
    const adjust = (...why: readonly string[]) =>
      terminal.run('account', 'adjust', '1', '1', ...why)
    await adjust('--reason', 'a gift')
    await adjust('--note', 'asked for by their lawyer')
    await adjust('--reason', 'as it was before', '--private')
    const { data } = await terminal.json<{ data: { note: string }[] }>('account', 'ledger', '1')
    expect(data.map(({ note }) => note)).toEqual([
      'a gift',
      'asked for by their lawyer',
      'as it was before',
    ])
    const database = new Database(join(terminal.data, 'chapar.db'))
    expect(database.query('SELECT note FROM transfers WHERE told').all()).toEqual([
      { note: 'a gift' },
    ])
    database.close()
    expect((await adjust()).code).toBe(2)
    const both = await adjust('--reason', 'a gift', '--note', 'theirs')
    expect(both).toMatchObject({ code: 2 })
    expect(both.stderr).toContain(
      "option '--note <text>' cannot be used with option '--reason <text>'",
    )
  })

  test('moves money both ways, with its reason, once for each reference', async () => {
    await terminal.run('account', 'adjust', '1', '5', '--reason', 'a gift')
    const down = ['account', 'adjust', '1', '-1.5', '--reason', 'counted twice', '--reference', 'r']
    expect(await terminal.json<object>(...down)).toMatchObject({
      usd: '-1.500000',
      reason: 'counted twice',
      reference: 'r',
      repeated: false,
      balance: { usd: '3.500000' },
    })
    expect(await terminal.json<object>(...down)).toMatchObject({ repeated: true })
    expect((await terminal.run('audit')).code).toBe(0)
    expect(await balance()).toBe('3.500000')
  })

  test.each([
    ['no reason', ['5']],
    ['an empty reason', ['5', '--reason', ' ']],
    ['nothing', ['0', '--reason', 'x']],
    ['no number', ['much', '--reason', 'x']],
  ])('refuses %s', async (_, words) => {
    expect((await terminal.run('account', 'adjust', '1', ...words)).code).toBe(2)
    expect(await balance()).toBe('0.000000')
  })
})

describe('payments list', () => {
  test('has each payment with its rate, newest first, of one account or all', async () => {
    await terminal.run('account', 'create', '--name', 'Omid')
    await terminal.run('rate', 'set', '1000000')
    await terminal.run('topup', '1', '--coins', '500000', '--reference', 'bank-1')
    await terminal.run('rate', 'set', '2000000')
    await terminal.run('topup', '2', '--coins', '500000', '--reference', 'bank-2')
    const list = async (...words: string[]) =>
      (await terminal.json<{ data: object[] }>('payments', 'list', ...words)).data
    expect(await list()).toMatchObject([
      { account: 2, coins: 500_000, rate: '2000000', usd: '0.250000', reference: 'bank-2' },
      { account: 1, coins: 500_000, rate: '1000000', usd: '0.500000', reference: 'bank-1' },
    ])
    expect(await list('--account', '1')).toMatchObject([{ reference: 'bank-1' }])
    expect(await list('--limit', '1')).toMatchObject([{ reference: 'bank-2' }])
    expect((await terminal.run('payments', 'list')).stdout).toContain('bank-1')
  })
})
