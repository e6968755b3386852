import type { VendorConfig } from '../../domain/model'
import { fieldsOf, listOf } from '../../json/fields'
import { vendors } from '../../vendors/registry'
import { ask } from './ask'

export interface VendorTest {
  readonly ok: boolean
  /** Null when it does not answer. */
  readonly status: number | null
  readonly models: number
  readonly problem: string | null
}

const testMs = 10_000

/** One free call: the list of models, signed as every call to this vendor is. */
export async function testVendor(vendor: VendorConfig): Promise<VendorTest> {
  const { status, problem, names } = await listModels(vendor)
  return { ok: problem === null, status, models: names.length, problem }
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
  const signed =
    vendor.credential === null ? undefined : vendors[vendor.kind]?.sign(vendor.credential, vendor)
  const headers = new Headers(signed?.map((each): [string, string] => [...each]) ?? [])
  const { status, body } = await ask(`${vendor.baseUrl}/models`, headers, testMs)
  // Most wrap the list, a few do not, and one has two.
  const { data, models, stt, tts } = fieldsOf(body)
  const two = stt === undefined ? undefined : [...listOf(stt), ...listOf(tts)]
  const listed = Array.isArray(body) ? body : (data ?? models ?? two)
  const problem = problemOf(vendor, status, Array.isArray(listed))
  return { status, problem, names: listOf(listed).map(nameOf) }
}

/** As vendors call their models: most by `id`, Google by `models/NAME`. */
function nameOf(model: unknown): string {
  const { id, model_id: modelId, canonical_name: canonical, name } = fieldsOf(model)
  const named = id ?? modelId ?? canonical ?? name
  return typeof named === 'string' ? named.replace(/^models\//, '') : ''
}

function problemOf(vendor: VendorConfig, status: number | null, isList: boolean): string | null {
  if (status === null) return `${vendor.baseUrl} does not answer`
  if (status === 401 || status === 403)
    return vendor.credential === null
      ? `it wants a key (${status})`
      : `it refuses our key (${status})`
  if (status !== 200) return `it answered ${status}`
  return isList ? null : 'it answered with no list of models: is the address complete, as in …/v1?'
}
