import { isoOf } from '../../domain/clock'
import type { Command } from 'commander'
import {
  finishRotation,
  rotateSecrets,
  secretStatus,
} from '../../business/operators/rotate-secrets'
import {
  hashedKinds,
  sealedKinds,
  type RotationLoss,
  type RotationState,
  type WaitedNode,
} from '../../business/data/secrets/secret-store'
import { counted } from '../kit/plural'
import { leaf, withStorage, type CommonOptions } from '../kit/command'
import { localTime } from '../../domain/local-time'
import { printJson, printLine } from '../kit/output'
import { hashedWords, sealedWords } from './secret-words'

interface RotateOptions extends CommonOptions {
  readonly to?: string
  readonly finish?: true
  readonly cancel?: true
  readonly yes?: true
}

/** A node tells every two seconds which generations it has read. */
const waitMs = 8000

export function rotateCommand(secret: Command): void {
  leaf(
    secret,
    'rotate',
    'use a new generation of the keys in secret.key; what customers have goes on working',
    'secret rotate',
  )
    .option('--finish', 'revoke what was not used since, and drop the old generation')
    .option('--cancel', 'take a new generation back that is not in use yet')
    .option('--to <file>', 'write the new key file there, where secret.key itself is read-only')
    .option('--yes', 'confirm --finish')
    .action(async (options: RotateOptions) => {
      if (options.finish === true && options.cancel === true)
        throw new RangeError('choose one of --finish and --cancel')
      if (options.finish === true) await finish(options)
      else if (options.cancel === true) await cancel(options)
      else await rotate(options)
    })

  leaf(
    secret,
    'status',
    'show the generations of the keys, and how much is kept under which',
    'secret status',
  ).action(status)
}

async function rotate(options: RotateOptions): Promise<void> {
  const to = options.to ?? null
  const rotated = await withStorage(options, ({ secrets }) =>
    rotateSecrets(secrets, { to, waitMs }),
  )
  const { state, waiting, resealed, unreadable } = rotated
  const isInUse = state.next === null
  if (!isInUse) process.exitCode = 1
  if (options.json)
    return printJson({
      ...stateJson(state),
      in_use: isInUse,
      waiting: waiting.map(nodeJson),
      resealed,
      unreadable,
    })
  if (!isInUse) return printPrepared(state, waiting, to)
  printLine(`generation ${state.number} is in use; ${counted(resealed, 'secret')} sealed anew`)
  if (unreadable > 0)
    printLine(`${counted(unreadable, 'secret')} could be opened with no generation, as before`)
  printLine('keys and sessions move to it as they are used: chapar secret status')
  printLine('back the new secret.key up; once enough has moved: chapar secret rotate --finish')
}

function printPrepared(
  { next }: RotationState,
  waiting: readonly WaitedNode[],
  to: string | null,
): void {
  printLine(`generation ${next?.number ?? ''} is made and not in use yet`)
  printLine(
    to === null
      ? 'copy secret.key of this machine to every other one, then: chapar secret rotate'
      : `put ${to} in the place of secret.key on every machine, then: chapar secret rotate`,
  )
  for (const { node, address } of waiting)
    printLine(`node ${node}${address === '' ? '' : ` at ${address}`} has not read it`)
}

async function finish(options: RotateOptions): Promise<void> {
  const to = options.to ?? null
  const finished = await withStorage(options, async ({ secrets }) => {
    const losses = await secrets.losses()
    const { before } = await secrets.state()
    if (options.yes !== true && before !== null && losses.length > 0) {
      if (!options.json) printLosses(losses)
      throw new RangeError('what was not used since the rotation would stop working: say --yes')
    }
    return await finishRotation(secrets, { to })
  })
  const { losses, dropped } = finished
  if (options.json) return printJson({ object: 'secret', revoked: losses.map(lossJson), dropped })
  printLosses(losses)
  const place = to === null ? 'secret.key' : `${to}: put it in the place of secret.key`
  if (dropped.length > 0) printLine(`generation ${dropped.join(', ')} is out of ${place}`)
  printLine('on several machines, copy the new secret.key to every other one')
}

async function cancel(options: RotateOptions): Promise<void> {
  const isCancelled = await withStorage(options, ({ secrets }) => secrets.cancel())
  if (!isCancelled) throw new RangeError('no generation waits to be used')
  if (options.json) printJson({ object: 'secret', cancelled: true })
  else printLine('the new generation is taken back; nothing was hashed or sealed under it')
}

async function status(options: CommonOptions): Promise<void> {
  const shown = await withStorage(options, ({ secrets }) => secretStatus(secrets))
  const { state, inFile, counts, losses, waiting, ticketsUntil } = shown
  if (options.json)
    return printJson({
      ...stateJson(state),
      in_file: inFile,
      kinds: counts.map(({ kind, count, old }) => ({ kind, count, old })),
      would_stop: losses.map(lossJson),
      waiting: waiting.map(nodeJson),
      tickets_until: isoOf(ticketsUntil),
    })
  const { number, since, before, next } = state
  printLine(`generation ${number} is in use${since === null ? '' : ` since ${localTime(since)}`}`)
  printLine(
    `secret.key has ${inFile.length === 1 ? 'generation' : 'generations'} ${inFile.join(', ')}`,
  )
  if (next !== null) printPrepared(state, waiting, null)
  if (before !== null)
    printLine(`generation ${before.number} checks what was not used since: rotate --finish ends it`)
  const countOf = new Map(counts.map((each) => [each.kind, each]))
  for (const kind of [...hashedKinds, ...sealedKinds]) {
    const { count = 0, old = 0 } = countOf.get(kind) ?? {}
    if (count === 0) continue
    const name = isHashed(kind) ? hashedWords[kind][0] : sealedWords[kind]
    printLine(
      `${String(count).padStart(9)} ${name}${old === 0 ? '' : `, ${old} of an older generation`}`,
    )
  }
  if (ticketsUntil !== null) printLine(`not to be finished before ${localTime(ticketsUntil)}`)
}

const isHashed = (kind: string): kind is keyof typeof hashedWords => kind in hashedWords

function printLosses(losses: readonly RotationLoss[]): void {
  for (const { kind, count, examples } of losses) {
    const [name, lost] = hashedWords[kind]
    printLine(`${count} ${name} ${lost}`)
    for (const example of examples) printLine(`  ${example}`)
    if (examples.length > 0 && examples.length < count && examples.length === maxShown)
      printLine('  …')
  }
}

const maxShown = 20

const lossJson = ({ kind, count, examples }: RotationLoss) => ({ kind, count, examples })
const nodeJson = ({ node, address }: WaitedNode) => ({ node, address })

const stateJson = ({ number, since, before, next }: RotationState) => ({
  object: 'secret',
  generation: number,
  since: isoOf(since),
  before: before?.number ?? null,
  next: next?.number ?? null,
})
