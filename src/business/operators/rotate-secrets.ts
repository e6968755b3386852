import type { Ms } from '../../domain/clock'
import type {
  ResealCursor,
  RotationLoss,
  RotationState,
  SecretCount,
  SecretStore,
  WaitedNode,
} from '../data/secrets/secret-store'

/** Progress of a rotation. */
interface Rotated {
  readonly state: RotationState
  /** Serving nodes that have not read the new key file: the new generation is not in use before they have. */
  readonly waiting: readonly WaitedNode[]
  readonly resealed: number
  /** Sealed texts that no generation at hand opens: they were lost before. */
  readonly unreadable: number
}

interface RotateOptions {
  /** Where the key file with both generations goes; null for its place. */
  readonly to: string | null
  /** How long nodes that serve may take to read it. */
  readonly waitMs: number
  /** Called after each step that is on disk. */
  readonly onStep?: (step: string) => void
}

const lookAgainMs = 250

/**
 * Begins to use a new generation of pepper and sealing key, or goes on with that where it was cut off. What can be
 * opened is sealed anew; hashes are replaced as their secrets are used, until `finishRotation`.
 * @throws RangeError as of `SecretStore`
 */
export async function rotateSecrets(
  store: SecretStore,
  { to, waitMs, onStep = () => {} }: RotateOptions,
): Promise<Rotated> {
  const begun = await store.state()
  if (begun.before === null) {
    const state = await store.prepare(to)
    onStep('prepared')
    const waiting = to === null ? await activate(store, waitMs) : await store.waitedFor()
    if (to !== null || waiting.length > 0) return { state, waiting, resealed: 0, unreadable: 0 }
    onStep('activated')
  }
  let [resealed, unreadable] = [0, 0]
  let next: ResealCursor | null = null
  do {
    const slice: Awaited<ReturnType<SecretStore['reseal']>> = await store.reseal(next)
    resealed += slice.resealed
    unreadable += slice.unreadable
    next = slice.next
    onStep('resealed')
  } while (next !== null)
  return { state: await store.state(), waiting: [], resealed, unreadable }
}

async function activate(store: SecretStore, waitMs: number): Promise<readonly WaitedNode[]> {
  const until = performance.now() + waitMs
  for (;;) {
    const waiting = await store.activate()
    if (waiting.length === 0 || performance.now() > until) return waiting
    await Bun.sleep(lookAgainMs)
  }
}

/** Outcome of a finished rotation. */
interface Finished {
  readonly losses: readonly RotationLoss[]
  /** Numbers of the generations that went out of the key file. */
  readonly dropped: readonly number[]
}

/**
 * Revokes what was not used since the rotation, and drops the generation before. On a machine whose file still has
 * it after another one finished, drops it from that file.
 * @throws RangeError as of `SecretStore.finish`
 */
export async function finishRotation(
  store: SecretStore,
  { to, onStep = () => {} }: Pick<RotateOptions, 'to' | 'onStep'>,
): Promise<Finished> {
  const { before, number } = await store.state()
  const isOver = before === null
  if (isOver && !(await store.inFile()).some((each) => each < number))
    throw new RangeError('no rotation is unfinished')
  const losses = isOver ? [] : await store.finish()
  onStep('finished')
  const dropped = await store.trim(to)
  onStep('trimmed')
  return { losses, dropped }
}

/** State of an installation's keys. */
interface SecretStatus {
  readonly state: RotationState
  /** Generations of this machine's key file. */
  readonly inFile: readonly number[]
  readonly counts: readonly SecretCount[]
  /** Secrets that would stop working if the rotation were finished now. */
  readonly losses: readonly RotationLoss[]
  readonly waiting: readonly WaitedNode[]
  /** Before that it cannot be finished; null where nothing is waited for. */
  readonly ticketsUntil: Ms | null
}

export async function secretStatus(store: SecretStore): Promise<SecretStatus> {
  const state = await store.state()
  const isUnfinished = state.before !== null
  return {
    state,
    inFile: await store.inFile(),
    counts: await store.counts(),
    losses: isUnfinished ? await store.losses() : [],
    waiting: await store.waitedFor(),
    ticketsUntil: isUnfinished ? await store.ticketsUntil() : null,
  }
}
