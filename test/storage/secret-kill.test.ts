import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  finishRotation,
  rotateSecrets,
  secretStatus,
} from '../../src/business/operators/rotate-secrets'
import { systemClock } from '../../src/domain/clock'
import {
  hashedKinds,
  sealedKinds,
  type HashedKind,
} from '../../src/business/data/secrets/secret-store'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { handClock, testFolder, type TestFolder } from './folder'
import { oneOfEach } from './one-of-each-secret'

const child = (folder: TestFolder, ...args: readonly string[]) =>
  Bun.spawn([process.execPath, join(import.meta.dir, 'rotate-child.ts'), folder.path, ...args], {
    stdout: 'pipe',
    stderr: 'inherit',
  })

/** Steps of a rotation: what is made, what is used from then on, and one for each kind that is sealed. */
const steps = ['prepared', 'activated', '3', '7', '12']

/** By the real time, as the child's. */
async function seeded(folder: TestFolder) {
  const clock = handClock(new Date().toISOString())
  const storage = openStorage({ folder: folder.path, exclusive: false, clock: systemClock })
  try {
    return { clock, probes: await oneOfEach(storage, clock) }
  } finally {
    await storage.close()
  }
}

test.each(steps)('everything opens after a rotation that was killed at step %s', async (step) => {
  using folder = testFolder()
  const { probes } = await seeded(folder)
  expect(await child(folder, 'rotate', step).exited).not.toBe(0)
  const storage = folder.open(true)
  for (const kind of [...hashedKinds, ...sealedKinds])
    expect(`${kind} ${await probes[kind](storage)}`).toBe(`${kind} true`)
  const after = await rotateSecrets(storage.secrets, { to: null, waitMs: 0 })
  expect(after).toMatchObject({ state: { number: 2, next: null }, unreadable: 0 })
  const { counts } = await secretStatus(storage.secrets)
  for (const kind of sealedKinds)
    expect(counts.find((each) => each.kind === kind)).toMatchObject({ old: 0 })
})

test.each(['finished', 'trimmed'])(
  'everything opens after an end that was killed when it had %s',
  async (step) => {
    using folder = testFolder()
    const { probes, clock } = await seeded(folder)
    const first = folder.open()
    await rotateSecrets(first.secrets, { to: null, waitMs: 0 })
    const used: readonly HashedKind[] = ['key', 'operator_key', 'session', 'operator_session']
    for (const kind of used) expect(await probes[kind](first)).toBe(true)
    folder.raw().run('DELETE FROM used_tickets')
    await first.close()
    expect(await child(folder, 'finish', step).exited).not.toBe(0)
    clock.set(Date.now())
    const storage = folder.open(true)
    for (const kind of [...used, ...sealedKinds])
      if (kind !== 'operator_link_totp')
        expect(`${kind} ${await probes[kind](storage)}`).toBe(`${kind} true`)
    if (step === 'finished')
      expect(await finishRotation(storage.secrets, { to: null })).toMatchObject({ dropped: [1] })
    expect((await secretStatus(storage.secrets)).inFile).toEqual([2])
  },
)

test('everything opens after rotations that were killed at any moment', async () => {
  using folder = testFolder()
  const { probes } = await seeded(folder)
  for (let round = 0; round < 6; round++) {
    const rotating = child(folder, 'rotate', 'never')
    await rotating.stdout.getReader().read()
    await Bun.sleep(round * 4)
    rotating.kill('SIGKILL')
    await rotating.exited
    const storage = folder.open()
    expect(await probes.national_code(storage)).toBe(true)
    expect(await probes.vendor_credential(storage)).toBe(true)
    expect(await probes.key(storage)).toBe(true)
    await storage.close()
    if ((await folder.open().secrets.state()).before !== null) break
  }
})
