import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseUsd } from '../../src/domain/money'
import { customer, testFolder } from '../storage/folder'

const child = join(import.meta.dir, 'killed-child.ts')
const rounds = 15

/** Lets it run until it has said so much, and a little longer; kills it. @returns the last it said */
async function killed(folder: string, lines: number, laterMs: number): Promise<number> {
  const run = Bun.spawn([process.execPath, child, folder], {
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
  const { account } = customer(before, { usd: '1000000' })
  before.close()
  let charged = 0
  let left = 0
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await killed(folder.path, 1 + (round % 3), Math.random() * 15)
    const storage = folder.open(true)
    expect(storage.audit().differences).toEqual([])
    left += storage.ledger.recover()
    const report = storage.audit()
    expect(report).toMatchObject({ ok: true, pending: 0 })
    const balance = storage.directory.findAccount(account.id)?.balance ?? 0
    const now = parseUsd('1000000') - balance
    expect(now).toBeGreaterThanOrEqual(charged + acknowledged)
    // One transfer for each seven nano-dollars, and the topup: never one twice.
    expect(report.transfers).toBe(now / 7 + 1)
    charged = now
    storage.close()
  }
  expect(left).toBeGreaterThan(0)
  expect(charged).toBeGreaterThan(0)
}, 60_000)
