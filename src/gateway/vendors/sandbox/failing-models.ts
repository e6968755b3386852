import type { ModelFamily } from '../../../domain/model'
import { codes, type ErrorCode } from '../../../errors/codes'
import { brokenConnections, faults } from './faults'

/** A model that fails by its name, in place of one that works. */
interface SandboxFailure {
  /** Id of the one that works: its prices, and what it can do. */
  readonly like: string
  readonly id: string
  readonly vendorModel: string
  /** Code that the gateway raises itself; null where the sandbox fails as a vendor. */
  readonly refusal: ErrorCode | null
}

/** The working model of each family, which stands before `error-` where an id names its family. */
const working: Readonly<Record<ModelFamily, string>> = {
  chat: 'echo',
  embedding: 'embed',
  moderation: 'moderate',
  image: 'draw',
  audio_stt: 'listen',
  audio_tts: 'speak',
  music: 'compose',
  video: 'video',
  realtime: 'realtime',
}

const named: ReadonlySet<string> = new Set(Object.values(working))

/** Faults of the sandbox and of the way to it. */
const vendorFaults: ReadonlySet<string> = new Set([...Object.keys(faults), ...brokenConnections])

const form = /^sandbox\/(?:([a-z]+)-)?error-([a-z_]+?)(-priced)?$/

/**
 * Failure that `sandbox/error-CODE` stands for: any code there is, and `timeout`, at every endpoint.
 * `sandbox/speak-error-CODE` is the same of one family alone; `-priced` behind either has a price.
 * @param family asked for; null for any
 */
export function findFailure(id: string, family: ModelFamily | null): SandboxFailure | null {
  const [, own, failure = '', suffix = ''] = form.exec(id) ?? []
  const isVendors = vendorFaults.has(failure)
  if (!isVendors && !Object.hasOwn(codes, failure)) return null
  const model = own ?? working[family ?? 'chat']
  if (!named.has(model)) return null
  const vendorModel = `error-${failure}`
  return {
    like: `sandbox/${model}${suffix}`,
    id: `sandbox/${model === working.chat ? '' : `${model}-`}${vendorModel}${suffix}`,
    vendorModel,
    refusal: isVendors ? null : (failure as ErrorCode),
  }
}
