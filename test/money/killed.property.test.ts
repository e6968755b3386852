import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseUsd } from '../../src/domain/money'
import { customer, testFolder } from '../storage/folder'
import { roundsOf } from '../support/campaigns'

const child = join(import.meta.dir, 'killed-child.ts')
const fallbackChild = join(import.meta.dir, 'fallback-child.ts')
const rounds = roundsOf('ledger kills')

/** Lets it run until it has said so much, and a little longer; kills it. @returns the last it said */
async function killed(
  folder: string,
  lines: number,
  laterMs: number,
  script = child,
): Promise<number> {
  const run = Bun.spawn([process.execPath, script, folder], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const decoder = new TextDecoder()
  let said = ''
  for await (const chunk of run.stdout) {
    said += decoder.decode(chunk, { stream: true })
    if (said.split('\n').length <= lines || run.killed) continue
    await Bun.sleep(laterMs)
    run.kill('SIGKILL')
  }
  await run.exited
  expect(run.signalCode).toBe('SIGKILL')
  return Number(said.split('\n').at(-2) ?? 0)
}

test('any moment of death leaves books that add up, nothing pending, and nothing lost that was acknowledged', async () => {
  using folder = testFolder()
  const before = folder.open()
  const { account } = await customer(before, { usd: '1000000' })
  await before.close()
  let charged = 0
  let left = 0
  // A kill that leaves nothing to make up for proves less.
  for (let round = 0; round < rounds || (left === 0 && round < rounds + 20); round++) {
    const acknowledged = await killed(folder.path, 1 + (round % 3), Math.random() * 15)
    const storage = folder.open(true)
    expect((await storage.audit()).differences).toEqual([])
    left += await storage.ledger.recover()
    const report = await storage.audit()
    expect(report).toMatchObject({ ok: true, pending: 0 })
    const balance = (await storage.directory.findAccount(account.id))?.balance ?? 0
    const now = parseUsd('1000000') - balance
    expect(now).toBeGreaterThanOrEqual(charged + acknowledged)
    // One transfer for each seven nano-dollars, and the topup: never one twice.
    expect(report.transfers).toBe(now / 7 + 1)
    charged = now
    await storage.close()
  }
  expect(left).toBeGreaterThan(0)
  expect(charged).toBeGreaterThan(0)
})

test('at any moment of death each charge is by the model that answered, and on its record', async () => {
  using folder = testFolder()
  const before = folder.open()
  const { account } = await customer(before, { usd: '1000000' })
  await before.close()
  let charged = 0
  for (let round = 0; round < 8; round++) {
    const acknowledged = await killed(folder.path, 2, Math.random() * 15, fallbackChild)
    const storage = folder.open(true)
    await storage.ledger.recover()
    expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
    const balance = (await storage.directory.findAccount(account.id))?.balance ?? 0
    const now = parseUsd('1000000') - balance
    expect(now).toBeGreaterThanOrEqual(charged + acknowledged)
    charged = now
    await storage.close()
    const raw = folder.raw()
    const costs = raw
      .query(
        "SELECT DISTINCT model, card_version, cost FROM requests WHERE status = 'success' ORDER BY cost",
      )
      .values()
    raw.close()
    expect(costs).toEqual([
      ['test/model', '1', 7],
      ['second', '2', 11],
    ])
  }
})
