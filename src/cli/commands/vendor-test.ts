import type { VendorConfig } from '../../domain/model'
import type { VendorBalance } from '../../domain/vendor-state'
import { fieldsOf, listOf } from '../../json/fields'
import { healthCheckOf } from '../../vendors/health-check'
import { dialects, isDialect } from '../../vendors/openai/dialects'
import { vendors } from '../../vendors/registry'
import type { VendorRequest } from '../../vendors/vendor'
import { ask, type Asked } from './ask'

export interface VendorTest {
  readonly ok: boolean
  /** Null when it does not answer. */
  readonly status: number | null
  readonly models: number
  readonly problem: string | null
  /** Null where it tells none. */
  readonly balance: VendorBalance | null
  /** Nothing is left of it: the key is good, and no call will be served. */
  readonly isEmpty: boolean
}

const testMs = 10_000

/** Free calls, signed as every call to this vendor is: the list of models, and what shows its key. */
export async function testVendor(vendor: VendorConfig): Promise<VendorTest> {
  const { status, problem, names } = await listModels(vendor)
  const listed = { status, models: names.length }
  if (problem !== null) return { ok: false, ...listed, problem, balance: null, isEmpty: false }
  const account = await askAccount(vendor)
  return { ok: account.problem === null && !account.isEmpty, ...listed, ...account }
}

/** What a vendor says that it has. */
export interface ListedModels {
  /** Null when it does not answer. */
  readonly status: number | null
  readonly problem: string | null
  /** Its own names of them; empty for one that it does not name. */
  readonly names: readonly string[]
}

export async function listModels(vendor: VendorConfig): Promise<ListedModels> {
  const asked = await askSigned(vendor, `${vendor.baseUrl}/models`)
  const listed = listIn(asked)
  const problem = isListless(vendor, asked) ? null : await problemOf(vendor, asked, listed !== null)
  return { status: asked.status, problem, names: (listed ?? []).map(nameOf) }
}

/** Most wrap the list, a few do not, and one has two; null where there is none. */
function listIn({ body }: Asked): readonly unknown[] | null {
  if (Array.isArray(body)) return listOf(body)
  const { data, models, stt, tts } = fieldsOf(body)
  const two = stt === undefined ? undefined : [...listOf(stt), ...listOf(tts)]
  const listed = data ?? models ?? two
  return Array.isArray(listed) ? listOf(listed) : null
}

/** A vendor that lists nothing at its own address is asked for nothing else. */
const isListless = ({ dialect, baseUrl }: VendorConfig, { status }: Asked): boolean =>
  status === 404 && isDialect(dialect) && dialects[dialect].baseUrl === baseUrl

/** As vendors call their models: most by `id`, Google by `models/NAME`. */
function nameOf(model: unknown): string {
  const { id, model_id: modelId, canonical_name: canonical, name } = fieldsOf(model)
  const named = id ?? modelId ?? canonical ?? name
  return typeof named === 'string' ? named.replace(/^models\//, '') : ''
}

function askSigned(vendor: VendorConfig, url: string): Promise<Asked> {
  const signed =
    vendor.credential === null ? undefined : vendors[vendor.kind]?.sign(vendor.credential, vendor)
  const headers = new Headers(signed?.map((each): [string, string] => [...each]) ?? [])
  return ask(url, headers, testMs)
}

async function problemOf(
  vendor: VendorConfig,
  { status }: Asked,
  isList: boolean,
): Promise<string | null> {
  const { baseUrl } = vendor
  if (status === null) return `${baseUrl} does not answer`
  if (status === 401 || status === 403) return refusedKey(vendor, status)
  if (status === 200 && isList) return null
  if (status === 200 || status === 404) {
    const versioned = await askSigned(vendor, `${baseUrl}/v1/models`)
    if (versioned.status === 401 || versioned.status === 403 || listIn(versioned) !== null)
      return `it has no list of models at ${baseUrl}, but at ${baseUrl}/v1: --base-url ${baseUrl}/v1`
  }
  return status === 200
    ? 'it answered with no list of models: is the address complete, as in …/v1?'
    : `it answered ${status}${status === 404 ? ': is the address complete, as in …/v1?' : ''}`
}

const refusedKey = ({ credential }: VendorConfig, status: number): string =>
  credential === null ? `it wants a key (${status})` : `it refuses our key (${status})`

/** What is left, and whether the key is known, where the list of models is for everybody. */
async function askAccount(
  vendor: VendorConfig,
): Promise<Pick<VendorTest, 'problem' | 'balance' | 'isEmpty'>> {
  const none = { problem: null, balance: null, isEmpty: false }
  const check = healthCheckOf(vendor)
  if (check === null || !check.tellsBalance) return none
  let body: unknown = null
  // The list of models was asked for already.
  if (check.request.path !== '/models') {
    const { status, body: told } = await askRequest(vendor, check.request)
    if (status === 401) return { ...none, problem: refusedKey(vendor, status) }
    if (status !== 200) return none
    body = told
  }
  for (const next of check.further) {
    const request = next(body)
    if (request === null) return none
    const { status, body: told } = await askRequest(vendor, request)
    if (status !== 200) return none
    body = told
  }
  const told = check.balanceIn(body)
  return told === null ? none : { ...none, ...told }
}

function askRequest(vendor: VendorConfig, { base, path }: VendorRequest): Promise<Asked> {
  return askSigned(vendor, `${base ?? vendor.baseUrl}${path}`)
}

/** One line of a test, for people. */
export const testLine = (
  name: string,
  { problem, models, balance, isEmpty }: VendorTest,
): string =>
  problem === null && !isEmpty
    ? `✓ ${name} answers and lists ${models} models${balance === null ? '' : `, ${balanceText(balance)} left`}`
    : `✗ ${name}: ${problem ?? 'our account there has no money left'}`

export const balanceText = ({ amount, currency }: VendorBalance): string =>
  currency === 'USD' ? `$${amount}` : `${amount} ${currency}`

/**
 * Tries a vendor before it is saved.
 * @param isForced it is saved whatever comes of it
 * @throws RangeError naming what is wrong
 */
export async function tryVendor(vendor: VendorConfig, isForced: boolean): Promise<VendorTest> {
  const test = await testVendor(vendor)
  if (test.problem !== null && !isForced)
    throw new RangeError(
      `${vendor.name}: ${test.problem}. Nothing was saved; --force saves it all the same, --no-test does not ask`,
    )
  return test
}
