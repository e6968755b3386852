import { Type, type Static } from '@sinclair/typebox'
import { build } from '../../../domain/build'
import { showUsd } from '../../../domain/money'
import { backupFiles, type BackupFile } from '../../../storage/files/backups'
import { examine } from '../doctor/examine'
import { findingCodes, findingStates, type Finding as Found } from '../finding'
import { makeBackup } from '../make-backup'
import { counted, type CommandForm } from '../command'
import { orNull, usdOf } from '../fields'
import { liveOperation, operation } from '../operation'

const BackupView = Type.Object({
  name: Type.String(),
  made: Type.String(),
  bytes: Type.Integer(),
})

const Finding = Type.Object({
  check: Type.String(),
  state: Type.Union(findingStates.map((state) => Type.Literal(state))),
  /** What it is, for programs and other languages, and the facts of it. */
  code: Type.Union(findingCodes.map((code) => Type.Literal(code))),
  facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  found: Type.String(),
  /** What to do; null when there is nothing to do. */
  advice: orNull(Type.String()),
})

const DoctorReport = Type.Object({ ok: Type.Boolean(), data: Type.Array(Finding) })

/** Answer of the doctor. */
export const doctorReport = (findings: readonly Found[]): Static<typeof DoctorReport> => ({
  ok: findings.every(({ state }) => state !== 'fail'),
  data: findings.map((each) => ({ ...each, facts: { ...each.facts } })),
})

const AuditReport = Type.Object({
  ok: Type.Boolean(),
  accounts: Type.Integer(),
  transfers: Type.Integer(),
  requests: Type.Integer(),
  pending: Type.Integer(),
  /** Charges that are in the spool and not in the database yet. */
  spooled: Type.Integer(),
  /** Their sum; no balance has it yet. */
  spooled_usd: Type.String(),
  differences: Type.Array(Type.String()),
})

const audit: CommandForm<Static<typeof AuditReport>> = {
  words: 'audit',
  about: 'recompute every balance from the ledger; exits 1 on any difference',
  example: 'audit',
  object: 'audit',
  formerNames: ({ spooled_usd: usd }) => ({ spooledCost: usdOf(usd) }),
  fails: ({ ok }) => !ok,
  said: ({
    ok,
    accounts,
    transfers,
    requests,
    pending,
    spooled,
    spooled_usd: usd,
    differences,
  }) => ({
    stdout: [
      `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${counted(requests, 'request')}, ${pending} pending`,
      ...(spooled > 0
        ? [
            `${counted(spooled, 'charge')} of $${usd} in the spool, not yet in the database: chapar serve writes them`,
          ]
        : []),
      ...differences.map((difference) => `✗ ${difference}`),
      ok ? '✓ every balance is the sum of its transfers' : '✗ the ledger does not add up',
    ],
  }),
}

const backupView = ({ name, made, bytes }: BackupFile): Static<typeof BackupView> => ({
  name,
  made: new Date(made).toISOString(),
  bytes,
})

export const healthOperations = [
  liveOperation({
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
    result: DoctorReport,
    run: async (parts) => doctorReport(await examine(parts)),
  }),
  operation({
    name: 'health.audit',
    method: 'GET',
    path: '/health/audit',
    role: 'viewer',
    about: 'Recompute every balance from the ledger',
    result: AuditReport,
    commands: [audit],
    async run({ service }) {
      await service.flush()
      const { spooledCost, differences, ...report } = await service.audit()
      return { ...report, spooled_usd: showUsd(spooledCost), differences: [...differences] }
    },
  }),
  liveOperation({
    name: 'health.backup',
    method: 'POST',
    path: '/health/backups',
    role: 'owner',
    about: 'Write everything to one file in the folder of the data; the newest seven are kept',
    result: BackupView,
    async run(parts) {
      const made = await makeBackup(parts.service)
      await parts.storage.looks.record(`backup:${made.name}`, 'backup.make')
      return backupView(made)
    },
  }),
] as const
