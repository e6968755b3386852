import { systemPaymentId } from '../../domain/ids'
import { parseUsd } from '../../domain/money'
import { isLoopbackHost } from '../../gateway/net/address'
import { chargeInRials, GatewayFault, type OpenedPayment } from './card-gateway'
import type { Rial } from '../../domain/payment'
import type { CardPaymentStore } from './card-payment'
import type { GatewayConfig, GatewayConfigStore } from './gateway-config'
import { trialBank } from '../../domain/payment'
import { chargeInCurrency, gatewayFacts, type CardGatewayParts } from './gateway-kinds'
import { returnAddress } from './return-address'
import { minimumCoins } from './coins'
import { AdminError } from '../operations/admin-error'

const maxNameLength = 40
const maxGateways = 5

type GatewayChange = Omit<GatewayConfig, 'secret'> & {
  /** Null keeps the one that is kept. */
  readonly secret: string | null
}

/**
 * Sets up a gateway that customers pay by. What is not given stays as it is kept.
 * @throws AdminError
 */
export async function setGateway(
  store: GatewayConfigStore,
  change: GatewayChange,
): Promise<GatewayConfig> {
  const { name, kind } = change
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name) || name.length > maxNameLength || name === trialBank)
    throw new AdminError('gateway_name_invalid', { name })
  const stored = await store.list()
  const earlier = stored.find((each) => each.name === name)
  // Payments on their way are asked of their own kind.
  if (earlier !== undefined && earlier.kind !== kind)
    throw new AdminError('gateway_kind_stays', { name, kind: earlier.kind })
  if (earlier === undefined && stored.length >= maxGateways)
    throw new AdminError('gateways_too_many', { max: maxGateways })
  const options = { ...earlier?.options, ...change.options }
  checkOptions(kind, options)
  const secret = linesOf(change.secret) ?? earlier?.secret ?? null
  if (secret === null) throw new AdminError('gateway_secret_missing', { kind })
  checkSecret(kind, secret)
  const gateway = { name, kind, options, secret }
  await store.save(gateway)
  return gateway
}

/** Lines of a secret as it was written or piped. */
const linesOf = (secret: string | null): string | null =>
  secret
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n') ?? null

function checkOptions(kind: GatewayConfig['kind'], options: GatewayConfig['options']): void {
  const known = gatewayFacts[kind].options
  for (const [option, value] of Object.entries(options)) {
    const shape = Object.hasOwn(known, option) ? known[option]?.shape : undefined
    if (shape === undefined) throw new AdminError('gateway_option_unknown', { kind, option })
    if (!shape.test(value) || (option === 'base' && !isSafe(value)))
      throw new AdminError('gateway_option_invalid', { kind, option, value })
  }
  // Another currency is not worth a dollar: its price must be said.
  const currency = options['currency']?.toLowerCase() ?? 'usd'
  if (kind === 'stripe' && currency !== 'usd' && options['per-dollar'] === undefined)
    throw new AdminError('gateway_option_missing', { kind, option: 'per-dollar' })
}

/** The secret goes there. */
function isSafe(address: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  return url.protocol === 'https:' || isLoopbackHost(url.hostname)
}

function checkSecret(kind: GatewayConfig['kind'], secret: string): void {
  const { secrets } = gatewayFacts[kind]
  const lines = secret.split('\n')
  const isWhole = secrets.every(({ shape, optional }, at) => {
    const line = lines[at]
    return line === undefined ? optional === true : shape.test(line)
  })
  if (!isWhole || lines.length > secrets.length)
    throw new AdminError('gateway_secret_invalid', {
      kind,
      lines: secrets.map(({ about }) => about),
    })
}

/** The card gateway of this name. @throws AdminError gateway_not_found */
export async function findGateway(
  store: Pick<GatewayConfigStore, 'list'>,
  name: string,
): Promise<GatewayConfig> {
  const found = (await store.list()).find((each) => each.name === name)
  if (found === undefined) throw new AdminError('gateway_not_found', { name })
  return found
}

/**
 * Removes a gateway; payments that wait for it could not be credited any more.
 * @throws AdminError gateway_not_found | gateway_waits unless that is confirmed
 */
export async function removeGateway(
  stores: {
    readonly cardGateways: GatewayConfigStore
    readonly cardPayments: Pick<CardPaymentStore, 'waitingAt'>
  },
  name: string,
  isConfirmed: boolean,
): Promise<void> {
  await findGateway(stores.cardGateways, name)
  const waiting = await stores.cardPayments.waitingAt(name)
  if (waiting > 0 && !isConfirmed) throw new AdminError('gateway_waits', { name, waiting })
  await stores.cardGateways.remove(name)
}

interface TrialParts extends CardGatewayParts {
  readonly rialsPerCoin: number
  /** Of the service, without a path: where a browser would come back to. */
  readonly origin: string
  readonly description: string
}

const trialUsd = parseUsd('1')

/**
 * Opens the smallest payment at a gateway, which nobody is to pay: all that is wrong with a merchant,
 * a key or an address of return shows there.
 * @throws AdminError gateway_not_found | gateway_refused
 */
export async function tryGateway(
  store: Pick<GatewayConfigStore, 'list'>,
  name: string,
  { rialsPerCoin, origin, description, ...parts }: TrialParts,
): Promise<OpenedPayment> {
  const config = await findGateway(store, name)
  const { paidIn, open } = gatewayFacts[config.kind]
  const charge =
    paidIn === 'usd'
      ? chargeInCurrency(config, trialUsd)
      : chargeInRials((minimumCoins * rialsPerCoin) as Rial)
  const payment = systemPaymentId()
  const returnTo = returnAddress(origin, payment)
  try {
    return await open(config, parts).begin({ payment, charge, description, mobile: null, returnTo })
  } catch (thrown) {
    if (!(thrown instanceof GatewayFault)) throw thrown
    throw new AdminError('gateway_refused', { name, fault: thrown.code })
  }
}
