import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Finding } from '../../admin/doctor-codes'
import { vendorsOf } from '../../admin/service-parts'
import {
  checkClock,
  checkDisk,
  checkFolder,
  checkLedger,
  checkMigration,
  checkOpenFiles,
  checkProxies,
  checkServing,
  checkSpools,
  finding,
} from './doctor-checks'
import { checkModels, checkSalePrices, checkPriceSources } from './doctor-catalogue'
import { checkFormat, checkNodes } from './doctor-nodes'
import { checkRotation } from './doctor-secrets'
import { checkVendors } from './doctor-vendors'
import { refuseShared } from '../../storage/files/data-folder'
import { databaseOfCommand, leaf, type CommonOptions } from '../kit/leaf'
import { entriesOf } from '../../admin/edit-model'
import { printJson, printLine } from '../kit/output'
import { isAlive } from '../../storage/open'
import { withService } from './with-service'

const ok = finding('ok')

export function doctorCommand(program: Command): void {
  leaf(
    program,
    'doctor',
    'check the installation and say what to do; exits 1 when something is wrong',
    'doctor',
  ).action(async (options: CommonOptions) => {
    const findings = await examine(options)
    const well = findings.every(({ state }) => state !== 'fail')
    if (!well) process.exitCode = 1
    if (options.json) return printJson({ object: 'doctor', ok: well, data: findings })
    const width = Math.max(...findings.map(({ check }) => check.length))
    for (const { state, check, found, advice } of findings) {
      printLine(`${signs[state]} ${check.padEnd(width)}  ${found}`)
      if (advice !== null) printLine(`  ${' '.repeat(width)}  → ${advice}`)
    }
  })
}

const signs = { ok: '✓', warn: '!', fail: '✗' } as const

async function examine(options: CommonOptions): Promise<readonly Finding[]> {
  const { data: folder } = options
  const address = databaseOfCommand(options)
  const first = checkFolder(folder, address === null ? 'database' : 'secret')
  if (address === null && first.some(({ code }) => code === 'database_missing'))
    refuseShared(folder)
  if (first.some(({ state }) => state === 'fail')) return first
  const other = address === null ? [] : await checkFormat(address)
  if (other.length > 0) return [...first, ...other]
  const files = checkOpenFiles()
  const migration = checkMigration(folder)
  const { findings, ...vendors } = await withService(options, async (parts) => ({
    vendors: (await vendorsOf(parts)).filter(({ source }) => source !== 'builtin'),
    keysElsewhere: parts.discovery.keysElsewhere,
    states: await parts.storage.vendorStates.all(),
    findings: [
      await checkClock(parts.storage),
      ...(await checkRotation(parts.storage.secrets)),
      ...(await checkLedger(parts.storage)),
      ...checkModels(await entriesOf(parts)),
      ...(await checkSalePrices(parts)),
      ...(await checkPriceSources(parts.storage)),
    ],
  }))
  const nodes = address === null ? [] : await checkNodes(address)
  const isClockOff = nodes.some(({ check }) => check === 'clock')
  return [
    ...first,
    ...checkSpools(folder),
    serving(folder),
    ...checkProxies(folder),
    ...checkServing(folder),
    checkDisk(folder),
    ...(files === null ? [] : [files]),
    ...(migration === null ? [] : [migration]),
    ...nodes,
    ...(isClockOff ? findings.filter(({ code }) => code !== 'clock') : findings),
    ...(await checkVendors(vendors)),
  ]
}

/** Whoever serves has written down its number; one that was killed could not take it back. */
function serving(folder: string): Finding {
  const file = join(folder, 'serving.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  const check = 'gateway'
  return Number.isNaN(pid) || !isAlive(pid)
    ? ok('gateway_idle', {}, { check, found: 'none serves this folder' })
    : ok('gateway_serves', { pid }, { check, found: `process ${pid} serves this folder` })
}
