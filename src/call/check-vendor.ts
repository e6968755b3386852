import type { CheckedVendor } from '../catalogue/health/check'
import type { VendorConfig } from '../domain/model'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import type { Exchange, Send } from '../outbound/send'
import { healthCheckOf } from '../vendors/health-check'
import type { Target, Vendor } from '../vendors/vendor'
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
  let exchange: Exchange | null = null
  try {
    exchange = await send(check.request, targetOf(vendor, config), deadline(), noModel)
    const { ok, status, headers, source } = exchange.reply
    const text = await exchange.inTime(readSome(source))
    if (!ok) return failed(vendor.failure(status, headers, text, noModel))
    const told = check.balanceIn(parsed(text))
    return {
      error: null,
      provesCredential: check.provesCredential,
      balance: told?.balance ?? null,
      isEmpty: told?.isEmpty ?? false,
    }
  } catch (thrown) {
    return failed(isGatewayError(thrown) ? thrown : unreachable(thrown))
  } finally {
    exchange?.end()
  }
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
