import { Type, type Static } from '@sinclair/typebox'
import { build } from '../../domain/build'
import { showUsd } from '../../domain/money'
import { backupFiles, nextBackup, pruneBackups, type BackupFile } from '../../storage/files/backups'
import { AdminError } from '../admin-error'
import { orNull } from './fields'
import { operation } from './operation'
import type { OperationParts } from './parts'

const BackupView = Type.Object({
  name: Type.String(),
  made: Type.String(),
  bytes: Type.Integer(),
})

const Finding = Type.Object({
  check: Type.String(),
  state: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail')]),
  found: Type.String(),
  /** What to do; null when there is nothing to do. */
  advice: orNull(Type.String()),
})

const AuditReport = Type.Object({
  ok: Type.Boolean(),
  accounts: Type.Integer(),
  transfers: Type.Integer(),
  requests: Type.Integer(),
  pending: Type.Integer(),
  /** Charges that are in the spool and not in the database yet. */
  spooled: Type.Integer(),
  differences: Type.Array(Type.String()),
})

const backupView = ({ name, made, bytes }: BackupFile): Static<typeof BackupView> => ({
  name,
  made: new Date(made).toISOString(),
  bytes,
})

/** @throws AdminError kept_in_memory */
function folderOf({ service: { folder } }: OperationParts): string {
  if (folder === null) throw new AdminError('kept_in_memory', {})
  return folder
}

/** What a command of this program prints as JSON, run beside the event loop. */
async function said<T>(
  parts: OperationParts,
  words: readonly string[],
  signal: AbortSignal,
): Promise<T> {
  folderOf(parts)
  await parts.service.flush()
  const { stdout } = await parts.service.runHere([...words, '--json'], signal)
  let answer: unknown
  try {
    answer = JSON.parse(stdout)
  } catch {
    throw new AdminError('check_failed', { what: words[0] ?? '' })
  }
  if (typeof answer === 'object' && answer !== null && 'error' in answer)
    throw new AdminError('check_failed', { what: words[0] ?? '' })
  return answer as T
}

const maxCheckMs = 600_000

export const healthOperations = [
  operation({
    name: 'health.get',
    method: 'GET',
    path: '/health',
    role: 'viewer',
    about: 'Version, what runs and is held at this moment, and backups made here',
    result: Type.Object({
      version: Type.String(),
      commit: Type.String(),
      built: Type.String(),
      serving_since: Type.String(),
      running_calls: Type.Integer(),
      held_usd: Type.String(),
      /** Newest first. */
      backups: Type.Array(BackupView),
    }),
    async run({ service }) {
      const { folder } = service
      const { runningCalls, held } = await service.load()
      return {
        version: build.version,
        commit: build.commit,
        built: build.date,
        serving_since: new Date(service.since).toISOString(),
        running_calls: runningCalls,
        held_usd: showUsd(held),
        backups: folder === null ? [] : backupFiles(folder).map(backupView),
      }
    },
  }),
  operation({
    name: 'health.doctor',
    method: 'GET',
    path: '/health/doctor',
    role: 'viewer',
    about: 'Checks of the installation, its vendors and its ledger, and what to do',
    result: Type.Object({ ok: Type.Boolean(), data: Type.Array(Finding) }),
    async run(parts) {
      const signal = AbortSignal.timeout(maxCheckMs)
      const { ok, data } = await said<{ ok: boolean; data: Static<typeof Finding>[] }>(
        parts,
        ['doctor'],
        signal,
      )
      return { ok, data }
    },
  }),
  operation({
    name: 'health.audit',
    method: 'GET',
    path: '/health/audit',
    role: 'viewer',
    about: 'Recompute every balance from the ledger',
    result: AuditReport,
    async run(parts) {
      const report = await said<Static<typeof AuditReport>>(
        parts,
        ['audit'],
        AbortSignal.timeout(maxCheckMs),
      )
      const { ok, accounts, transfers, requests, pending, spooled, differences } = report
      return { ok, accounts, transfers, requests, pending, spooled, differences }
    },
  }),
  operation({
    name: 'health.backup',
    method: 'POST',
    path: '/health/backups',
    role: 'owner',
    about: 'Write everything to one file in the folder of the data; the newest seven are kept',
    result: BackupView,
    async run(parts) {
      const folder = folderOf(parts)
      const file = nextBackup(folder, parts.service.clock.now())
      await said(parts, ['backup', file], AbortSignal.timeout(maxCheckMs))
      pruneBackups(folder)
      const [made] = backupFiles(folder)
      if (made === undefined) throw new AdminError('check_failed', { what: 'backup' })
      await parts.storage.looks.record(`backup:${made.name}`, 'backup.make')
      return backupView(made)
    },
  }),
] as const
