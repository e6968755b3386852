import type { VendorConfig } from '../../domain/model'
import type { VendorBalance } from '../../domain/vendor-state'
import { fieldsOf, listOf } from '../../gateway/json/fields'
import { healthCheckOf } from '../../gateway/vendors/health-check'
import { dialects, isDialect } from '../../gateway/vendors/openai/dialects'
import { vendors } from '../../gateway/vendors/registry'
import { AdminError } from '../operations/admin-error'
import type { TrialProblem } from './vendor-problem'

/** An answer to a free call; nulls where there was none, or not in JSON. */
interface FreeAnswer {
  readonly status: number | null
  readonly body: unknown
}

/** One GET to a vendor; the way out is handed in. */
export type RequestVendor = (
  url: string,
  headers: Headers,
  timeoutMs: number,
) => Promise<FreeAnswer>

/** Result of free calls to a vendor. */
export interface VendorTrial {
  readonly ok: boolean
  /** Null when it does not answer. */
  readonly status: number | null
  readonly models: number
  readonly problem: TrialProblem | null
  /** Null where it tells none. */
  readonly balance: VendorBalance | null
  /** Nothing is left of it: the key is good, and no call will be served. */
  readonly isEmpty: boolean
  /** Addresses that were asked, in order, and what each answered. */
  readonly asked: readonly RequestedAddress[]
}

/** A free call to a vendor. */
interface RequestedAddress {
  readonly url: string
  /** Null where there was no answer. */
  readonly status: number | null
}

const trialMs = 10_000

/** Free calls, signed as every call to this vendor is: the list of models, and what shows its key. */
export async function trialOf(
  requestVendor: RequestVendor,
  vendor: VendorConfig,
): Promise<VendorTrial> {
  const asked: RequestedAddress[] = []
  const ask: RequestVendor = async (url, ...how) => {
    const answer = await requestVendor(url, ...how)
    asked.push({ url, status: answer.status })
    return answer
  }
  const { status, problem, names } = await modelsListed(ask, vendor)
  const listed = { status, models: names.length, asked }
  if (problem !== null) return { ok: false, ...listed, problem, balance: null, isEmpty: false }
  const account = await requestAccount(ask, vendor)
  return { ok: account.problem === null && !account.isEmpty, ...listed, ...account }
}

/**
 * Tries a vendor before it is saved.
 * @param isForced it is saved whatever comes of it
 * @throws AdminError vendor_trial_failed
 */
export async function checkVendorAnswers(
  ask: RequestVendor,
  vendor: VendorConfig,
  isForced: boolean,
): Promise<VendorTrial> {
  const trial = await trialOf(ask, vendor)
  if (trial.problem !== null && !isForced) throw trialFailed(vendor, trial.problem)
  return trial
}

function trialFailed(
  { name: vendor }: VendorConfig,
  { code, status, address }: TrialProblem,
  more: { readonly isListing?: true } = {},
) {
  const facts = { vendor, problem: code, answered: status ?? 0, address, ...more }
  return new AdminError('vendor_trial_failed', facts)
}

/** A vendor's answer to a request for its models. */
interface VendorListing {
  /** Null when it does not answer. */
  readonly status: number | null
  readonly problem: TrialProblem | null
  /** Its own names of them; empty for one that it does not name. */
  readonly names: readonly string[]
}

async function modelsListed(ask: RequestVendor, vendor: VendorConfig): Promise<VendorListing> {
  const answer = await requestSigned(ask, vendor, `${vendor.baseUrl}/models`)
  const listed = listIn(answer)
  const problem = isListless(vendor, answer)
    ? null
    : await problemOf(ask, vendor, answer, listed !== null)
  return { status: answer.status, problem, names: (listed ?? []).map(nameOf) }
}

/** Most wrap the list, a few do not, and one has two; null where there is none. */
function listIn({ body }: FreeAnswer): readonly unknown[] | null {
  if (Array.isArray(body)) return listOf(body)
  const { data, models, stt, tts } = fieldsOf(body)
  const two = stt === undefined ? undefined : [...listOf(stt), ...listOf(tts)]
  const listed = data ?? models ?? two
  return Array.isArray(listed) ? listOf(listed) : null
}

/** A vendor that lists nothing at its own address is asked for nothing else. */
const isListless = ({ dialect, baseUrl }: VendorConfig, { status }: FreeAnswer): boolean =>
  status === 404 && isDialect(dialect) && dialects[dialect].baseUrl === baseUrl

/** As vendors call their models: most by `id`, Google by `models/NAME`. */
function nameOf(model: unknown): string {
  const { id, model_id: modelId, canonical_name: canonical, name } = fieldsOf(model)
  const named = id ?? modelId ?? canonical ?? name
  return typeof named === 'string' ? named.replace(/^models\//, '') : ''
}

function requestSigned(ask: RequestVendor, vendor: VendorConfig, url: string): Promise<FreeAnswer> {
  const signed =
    vendor.credential === null ? undefined : vendors[vendor.kind]?.sign(vendor.credential, vendor)
  const headers = new Headers(signed?.map((each): [string, string] => [...each]) ?? [])
  return ask(url, headers, trialMs)
}

async function problemOf(
  ask: RequestVendor,
  vendor: VendorConfig,
  { status }: FreeAnswer,
  isList: boolean,
): Promise<TrialProblem | null> {
  const { baseUrl: address } = vendor
  if (status === null) return { code: 'no_answer', status, address }
  if (status === 401 || status === 403) return keyProblem(vendor, status)
  if (status === 200 && isList) return null
  if (status === 200 || status === 404) {
    const versioned = await requestSigned(ask, vendor, `${address}/v1/models`)
    if (versioned.status === 401 || versioned.status === 403 || listIn(versioned) !== null)
      return { code: 'address_incomplete', status, address: `${address}/v1` }
  }
  return { code: status === 200 ? 'no_list' : 'other_status', status, address }
}

const keyProblem = ({ credential, baseUrl }: VendorConfig, status: number): TrialProblem => ({
  code: credential === null ? 'key_wanted' : 'key_refused',
  status,
  address: baseUrl,
})

/** What is left, and whether the key is known, where the list of models is for everybody. */
async function requestAccount(
  ask: RequestVendor,
  vendor: VendorConfig,
): Promise<Pick<VendorTrial, 'problem' | 'balance' | 'isEmpty'>> {
  const none = { problem: null, balance: null, isEmpty: false }
  const check = healthCheckOf(vendor)
  if (check === null || check.request.path === '/models') return none
  const { base = vendor.baseUrl, path } = check.request
  const { status, body } = await requestSigned(ask, vendor, `${base}${path}`)
  if (status === 401) return { ...none, problem: keyProblem(vendor, status) }
  const told = status === 200 ? check.balanceIn(body) : null
  return told === null ? none : { ...none, ...told }
}

/** Names of the models that a vendor lists. @throws AdminError vendor_trial_failed where it does not */
export async function namesListed(
  ask: RequestVendor,
  vendor: VendorConfig,
): Promise<readonly string[]> {
  const { names, problem } = await modelsListed(ask, vendor)
  if (problem !== null) throw trialFailed(vendor, problem, { isListing: true })
  return names.filter((each) => each !== '')
}
