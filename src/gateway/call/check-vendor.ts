import type { CheckedVendor } from '../catalogue/health/check'
import type { VendorConfig } from '../../domain/model'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import type { Exchange, Send } from '../outbound/send'
import { healthCheckOf, type HealthCheck, type ReportedBalance } from '../vendors/health-check'
import type { Target, Vendor, VendorRequest } from '../vendors/vendor'
import { readSome } from './dispatch'

interface CheckParts {
  readonly vendors: Readonly<Record<string, Vendor>>
  readonly send: Send
}

/** Longest wait for a whole answer. */
const checkMs = 10_000
/** Stands for a model in failures that nobody is answered with. */
const noModel = '–'

/** Whether a vendor has a call that is free. */
export const isCheckable = (config: VendorConfig): boolean => healthCheckOf(config) !== null

/** One free call to a vendor, signed as every other. Never throws. */
export async function checkVendor(
  { vendors, send }: CheckParts,
  config: VendorConfig,
): Promise<CheckedVendor> {
  const check = healthCheckOf(config)
  const vendor = vendors[config.kind]
  if (check === null || vendor === undefined) return failed(unreachable('nothing to ask'))
  const ask = (request: VendorRequest) => answerOf(send, request, targetOf(vendor, config))
  try {
    const { ok, status, headers, text } = await ask(check.request)
    if (!ok) return failed(vendor.failure(status, headers, text, noModel))
    const found = await balanceOf(check, parsed(text), ask)
    return {
      error: null,
      provesCredential: check.provesCredential,
      balance: found?.balance ?? null,
      isEmpty: found?.isEmpty ?? false,
    }
  } catch (thrown) {
    return failed(isGatewayError(thrown) ? thrown : unreachable(thrown))
  }
}

/** A whole answer, as far as it is short. */
interface Answer extends Pick<Exchange['reply'], 'ok' | 'status' | 'headers'> {
  readonly text: string
}

async function answerOf(send: Send, request: VendorRequest, target: Target): Promise<Answer> {
  const exchange = await send(request, target, deadline(), noModel)
  try {
    const { ok, status, headers, source } = exchange.reply
    return { ok, status, headers, text: await exchange.inTime(readSome(source)) }
  } finally {
    exchange.end()
  }
}

/** Balance at the vendor, by further calls where it takes some: their failures say nothing of its health. */
async function balanceOf(
  check: HealthCheck,
  first: unknown,
  ask: (request: VendorRequest) => Promise<Answer>,
): Promise<ReportedBalance | null> {
  let body = first
  for (const next of check.further) {
    const request = next(body)
    const answer = request === null ? null : await ask(request).catch(() => null)
    if (answer?.ok !== true) return null
    body = parsed(answer.text)
  }
  return check.balanceIn(body)
}

const deadline = (): AbortSignal => AbortSignal.timeout(checkMs)

const failed = (error: GatewayError): CheckedVendor => ({
  error,
  provesCredential: false,
  balance: null,
  isEmpty: false,
})

const unreachable = (cause: unknown) =>
  new GatewayError('upstream_unreachable', { model: noModel }, { cause })

const targetOf = (vendor: Vendor, config: VendorConfig): Target => ({
  vendor,
  config,
  route: { vendor: config.name, vendorModel: '', priority: 0, weight: 1 },
  traits: {},
  maxOutputTokens: null,
  sells: () => false,
})

/** A long list is cut: what is told of a balance is short. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
