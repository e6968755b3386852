import type { Command } from 'commander'
import { doctorReport } from '../../business/operations/operations/health'
import { checkPlace } from '../../server/machine-checks'
import { runsOperation } from '../generated/subject-commands'
import { databaseOfCommand, leaf, type CommonOptions } from '../kit/command'
import { printJson, printLine } from '../kit/output'
import { isElsewhere, withPlace } from '../kit/place'

type Report = ReturnType<typeof doctorReport>

/** `doctor`: a folder that cannot be opened is a finding, and no refusal. */
export function doctorCommand(program: Command): void {
  const command = leaf(
    program,
    'doctor',
    'check the installation and say what to do; exits 1 when something is wrong',
    'doctor',
  )
  const row = runsOperation(command, 'health.doctor')
  command.action(async (options: CommonOptions) => {
    const place = isElsewhere() ? null : doctorReport(await checkPlaceOf(options))
    const { ok, data } =
      place?.ok === false
        ? place
        : await withPlace(options, false, async (run) => {
            const report = await run(row, { params: {}, query: {}, body: {} })
            return report as Report
          })
    if (!ok) process.exitCode = 1
    if (options.json) return printJson({ object: 'doctor', ok, data })
    const width = Math.max(...data.map(({ check }) => check.length))
    for (const { state, check, found, advice } of data) {
      printLine(`${signs[state]} ${check.padEnd(width)}  ${found}`)
      if (advice !== null) printLine(`  ${' '.repeat(width)}  → ${advice}`)
    }
  })
}

const checkPlaceOf = (options: CommonOptions) =>
  checkPlace({ folder: options.data, database: databaseOfCommand(options) })

const signs = { ok: '✓', warn: '!', fail: '✗' } as const
