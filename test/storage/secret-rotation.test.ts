import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  finishRotation,
  rotateSecrets,
  secretStatus,
} from '../../src/business/operators/rotate-secrets'
import { openSafetyIds } from '../../src/gateway/identity/safety-ids'
import type { AccountId, PersonId, ProjectId } from '../../src/domain/ids'
import { parseSecrets } from '../../src/storage/files/key-file-format'
import {
  hashedKinds,
  sealedKinds,
  type HashedKind,
} from '../../src/business/data/secrets/secret-store'
import { hashedColumns } from '../../src/business/data/secrets/secret-columns'
import { testFolder } from './folder'
import { oneOfEach } from './one-of-each-secret'

const rotate = { to: null, waitMs: 0 }
const kinds = [...hashedKinds, ...sealedKinds]

describe('a rotation of the keys', () => {
  test('keeps everything working, also in a process that was there before', async () => {
    using folder = testFolder()
    const serving = folder.open(true)
    const earlier = await oneOfEach(serving, folder.clock)
    const command = folder.open()
    expect(await rotateSecrets(command.secrets, rotate)).toMatchObject({
      state: { number: 2, before: { number: 1 }, next: null },
      waiting: [],
      unreadable: 0,
    })
    const counts = (await secretStatus(command.secrets)).counts
    for (const kind of sealedKinds)
      expect(counts.find((each) => each.kind === kind)).toMatchObject({ old: 0 })
    for (const kind of kinds) expect(counts.find((each) => each.kind === kind)?.count).not.toBe(0)
    for (const kind of kinds) expect(`${kind} ${await earlier[kind](serving)}`).toBe(`${kind} true`)
    const later = await oneOfEach(command, folder.clock)
    for (const kind of kinds) expect(`${kind} ${await later[kind](serving)}`).toBe(`${kind} true`)
    expect(await serving.audit()).toMatchObject({ ok: true })
  })

  test('rehashes what is used, and finishing it revokes what was not', async () => {
    using folder = testFolder()
    const storage = folder.open(true)
    const [used, unused] = [
      await oneOfEach(storage, folder.clock),
      await oneOfEach(storage, folder.clock),
    ]
    await rotateSecrets(storage.secrets, rotate)
    const rehashed = hashedKinds.filter((kind) => hashedColumns[kind].during === 'rehashed on use')
    for (const kind of rehashed) expect(await used[kind](storage)).toBe(true)
    await storage.close()

    const next = folder.open(true)
    const { counts, losses, ticketsUntil } = await secretStatus(next.secrets)
    for (const kind of rehashed)
      expect(counts.find((each) => each.kind === kind)?.old).toBeLessThan(
        counts.find((each) => each.kind === kind)?.count ?? 0,
      )
    expect(losses.find(({ kind }) => kind === 'key')).toMatchObject({ count: 1 })
    expect(ticketsUntil).not.toBeNull()
    expect(finishRotation(next.secrets, { to: null })).rejects.toThrow(/tickets of the sister/)
    folder.clock.set(folder.clock.now() + 120_000)
    const { dropped } = await finishRotation(next.secrets, { to: null })
    expect(dropped).toEqual([1])
    for (const kind of rehashed) expect(`${kind} ${await used[kind](next)}`).toBe(`${kind} true`)
    const gone: readonly HashedKind[] = ['key', 'operator_key', 'redeem_code', 'session']
    for (const kind of [...gone, 'operator_session', 'recovery_code'] as const)
      expect(`${kind} ${await unused[kind](next)}`).toBe(`${kind} false`)
    for (const kind of sealedKinds)
      if (kind !== 'operator_link_totp')
        expect(`${kind} ${await unused[kind](next)}`).toBe(`${kind} true`)
    expect((await secretStatus(next.secrets)).inFile).toEqual([2])
    expect(await next.audit()).toMatchObject({ ok: true })
  })

  test('takes along the webhook of before a change, to which word of that is on its way', async () => {
    using folder = testFolder()
    const storage = folder.open(true)
    await oneOfEach(storage, folder.clock)
    const { account, by } =
      folder
        .raw()
        .prepare<{ account: AccountId; by: PersonId }, []>(
          'SELECT account, made_by AS "by" FROM account_webhooks',
        )
        .get() ?? expect.unreachable()
    await storage.accountWebhooks.save(by, account, { url: 'https://b.example', secret: 'second' })
    await rotateSecrets(storage.secrets, rotate)
    folder.clock.set(folder.clock.now() + 120_000)
    await finishRotation(storage.secrets, { to: null })
    const now = folder.clock.now()
    const due = await storage.holderNotices.due('webhook', now, now, 10)
    expect(due.map(({ webhook }) => webhook)).toContainEqual({
      url: 'https://a.example',
      secret: 'hook',
    })
    expect(due.map(({ webhook }) => webhook)).not.toContain(null)
  })

  test('leaves the ids that vendors know projects by', async () => {
    using folder = testFolder()
    const storage = folder.open()
    const before = openSafetyIds(storage.pepper)(7 as ProjectId)
    await rotateSecrets(storage.secrets, rotate)
    await finishRotation(storage.secrets, { to: null })
    await rotateSecrets(storage.secrets, rotate)
    expect((await storage.secrets.state()).number).toBe(3)
    expect(openSafetyIds(folder.open().pepper)(7 as ProjectId)).toBe(before)
  })

  test('is not begun again before it is finished, and goes on where it was cut off', async () => {
    using folder = testFolder()
    const storage = folder.open()
    await storage.secrets.prepare(null)
    const file = readFileSync(join(folder.path, 'secret.key'))
    await storage.secrets.prepare(null)
    expect(readFileSync(join(folder.path, 'secret.key'))).toEqual(file)
    await storage.secrets.activate()
    expect(storage.secrets.prepare(null)).rejects.toThrow(/is not finished/)
    expect(await rotateSecrets(storage.secrets, rotate)).toMatchObject({ state: { number: 2 } })
  })

  test('takes a generation that only the file knows, and drops one that only the file knows', async () => {
    using folder = testFolder()
    const storage = folder.open()
    const plain = readFileSync(join(folder.path, 'secret.key'))
    await storage.secrets.prepare(null)
    const both = readFileSync(join(folder.path, 'secret.key'))
    expect(await storage.secrets.cancel()).toBe(true)
    expect(readFileSync(join(folder.path, 'secret.key'))).toEqual(plain)
    // As of a command that was killed between file and database.
    writeFileSync(join(folder.path, 'secret.key'), both)
    await rotateSecrets(storage.secrets, rotate)
    expect(readFileSync(join(folder.path, 'secret.key'))).toEqual(both)
    await storage.secrets.finish()
    expect(await folder.open().secrets.trim(null)).toEqual([1])
    expect(parseSecrets(readFileSync(join(folder.path, 'secret.key')))?.generations).toHaveLength(1)
  })

  test('refuses a file without a generation that the database needs', async () => {
    using folder = testFolder()
    const storage = folder.open()
    const plain = readFileSync(join(folder.path, 'secret.key'))
    await rotateSecrets(storage.secrets, rotate)
    writeFileSync(join(folder.path, 'secret.key'), plain)
    expect(() => folder.open()).toThrow(/it has generations 1 and 2/)
  })
})
