import type { OperatorService } from '../../console/operator-parts'
import { resolve } from 'node:path'
import { AdminError } from '../../business/operations/admin-error'
import { storageOf, type LiveService, type SoldHere } from '../../business/operations/parts'
import { trySample } from '../../business/operations/try-channels'
import type { Clock } from '../../domain/clock'
import type { UntrustedProxy } from '../../gateway/http/address'
import { faultFields, type Log } from '../../gateway/observability/log'
import { getJson } from '../../gateway/outbound/get-json'
import { getReport } from '../../gateway/outbound/get-report'
import type { RemoteRequester } from '../../business/operators/requester'
import { openPasswords } from '../../business/operators/passwords'
import { openOperatorSignIn, type OperatorSignIn } from '../../business/operators/sign-in'
import { openPasskeyRing } from '../../business/users/passkey-service'
import { usualTimes } from '../../business/data/nodes'
import type { Storage } from '../../business/data/storage'
import type { Discovery } from '../../gateway/vendors/discover'
import { sandboxVendor } from '../../gateway/vendors/sandbox/models'
import { isReachedSecurely } from '../listeners/addresses'
import type { Cluster } from '../cluster/cluster'
import { keyPrefix, type Config } from '../config'
import { openConnectionTrials } from './connection-tests'
import type { Gateway } from '../gateway'
import { examineMachine } from '../machine-checks'
import { checkPricesInThread } from '../price-checks/price-check-thread'
import { openStoredSettle, redeemHash } from './payment-service'
import { auditInThread, backUpInThread } from '../process/upkeep-thread'

export interface OperatorServiceParts {
  readonly config: Config
  readonly storage: Storage
  readonly gateway: Gateway
  readonly discovery: Discovery
  readonly clock: Clock
  readonly log: Log
  readonly cluster?: Pick<Cluster, 'list' | 'ttlMs'> | null
  /** Where this process answers operators; known once it does. */
  servedAt(): string
  /** Where this process answers customers. */
  customersAt(): string
  /** Who forwards requests and is not believed. */
  untrustedProxy(): UntrustedProxy | null
  /** A name by which clients reach the service, where none is configured. */
  unnamedHost(): string | null
}

/** Opens sign-in and operations of operators. */
export function openOperatorService(parts: OperatorServiceParts): OperatorService {
  const { config, storage, gateway, discovery, clock, log, cluster = null } = parts
  const { settings, ledger, limits } = gateway.parts
  const [publicUrl] = config.baseUrls
  // Whole: the folder that this process was started in may be gone later.
  const folder = storage.folder === null ? null : resolve(storage.folder)
  const { listen, url: ownUrl } = config.operators
  const hasOwnPort = listen !== null
  const serviceName = () => settings.brandName ?? config.services[0]
  const knownUrl = ownUrl ?? (hasOwnPort ? null : publicUrl)
  const operatorUrl = () => knownUrl ?? parts.servedAt()
  const trialParts = { config, storage, clock, settings, operatorUrl, log, serviceName }
  const storageBy = (requester: RemoteRequester) => storageOf(storage, requester, settings)
  const service: LiveService = {
    clock,
    settings,
    fixed: config.fixed,
    discovery: async () => discovery,
    services: servicesOf(config),
    isDemo: config.demo,
    operatorUrl,
    // The console's own port has no pages of customers: without a public address, where we listen for them.
    customerUrl: () => publicUrl ?? (hasOwnPort ? parts.customersAt() : ''),
    folder,
    since: clock.now(),
    load: gateway.load,
    nodes: async () => (await cluster?.list()) ?? [],
    untrustedProxy: () => parts.untrustedProxy(),
    unnamedHost: () => parts.unnamedHost(),
    calls: gateway.calls,
    checkPrices: openPriceChecks(parts, folder),
    settleDesk: (changed) => openStoredSettle(changed, clock),
    hashRedeemCode: redeemHash(storage.pepper),
    onSale: () => soldHere(gateway),
    noticeChannels: gateway.noticeChannels,
    ...openUpkeep(parts, folder),
    trials: openConnectionTrials(trialParts),
    askVendor: getJson,
    getReport,
    vendorTimeoutMs: config.vendorTimeoutMs,
    ownAddresses: () => [parts.servedAt(), ...config.baseUrls.filter((url) => url !== null)],
    flush: () => ledger.flush(),
    refresh: gateway.refresh,
  }
  return {
    signIn: signInOf(parts),
    service,
    partsOf: (requester) => ({ requester, service, storage: storageBy(requester) }),
    limits,
    mayAsk: (address) => settings.operatorAddresses?.has(address) ?? true,
    hasOwnPort,
    serviceName,
    knownUrl,
    listensAt: parts.servedAt,
    isSecure: isReachedSecurely(knownUrl, config.demo),
    onFault: (fault) => log.error('operator request failed', faultFields(fault)),
  }
}

/** Services that this process answers for, each with its address. */
const servicesOf = ({ services, baseUrls }: Config): LiveService['services'] =>
  services.map((name, at) => ({ name, keyPrefix: keyPrefix(name), url: baseUrls[at] ?? null }))

const signInOf = ({ storage, clock, log }: OperatorServiceParts): OperatorSignIn => {
  const { operatorAccess, operatorPasskeys, pepper } = storage
  const passkeys = openPasskeyRing({
    store: operatorPasskeys,
    clock,
    pepper,
    onRefused: (reason) => log.warn('passkey of an operator refused', { reason }),
  })
  const passwords = openPasswords()
  return openOperatorSignIn({ store: operatorAccess, passkeys, passwords, clock, pepper })
}

/**
 * Work of one kind that operators ask for, one at a time.
 * @throws AdminError commands_busy | check_failed
 */
function openOneAtATime(log: Pick<Log, 'error'>, what: string) {
  let isRunning = false
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (isRunning) throw new AdminError('commands_busy', { max: 1 })
    isRunning = true
    try {
      return await work()
    } catch (fault) {
      log.error('check failed', { what, ...faultFields(fault) })
      throw new AdminError('check_failed', { what })
    } finally {
      isRunning = false
    }
  }
}

/** Checks of public prices that operators ask for. */
function openPriceChecks(
  { gateway, discovery, log, storage: { database } }: OperatorServiceParts,
  folder: string | null,
): LiveService['checkPrices'] {
  const alone = openOneAtATime(log, 'prices')
  return async (actor, sources) => {
    if (folder === null) throw new AdminError('kept_in_memory', {})
    return await alone(async () => {
      const { pricesSources, pricesAuto: policy, sandbox } = gateway.parts.settings
      const place = { folder, database, claim: null }
      const read = { sources: sources ?? pricesSources, whole: sources === null }
      return await checkPricesInThread({ ...place, ...read, actor, policy, discovery, sandbox })
    })
  }
}

/** Checks, audits and backups that operators ask for. */
function openUpkeep(
  { log, storage: { database, notices }, cluster, clock, gateway }: OperatorServiceParts,
  folder: string | null,
): Pick<LiveService, 'audit' | 'backUp' | 'examineMachine' | 'tryChannels'> {
  const audits = openOneAtATime(log, 'audit')
  const backups = openOneAtATime(log, 'backup')
  let trying: ReturnType<LiveService['tryChannels']> | null = null
  const place = () => {
    if (folder === null) throw new AdminError('kept_in_memory', {})
    return { folder, database }
  }
  return {
    async audit() {
      const data = place()
      return await audits(() => auditInThread(data))
    },
    examineMachine: async () =>
      await examineMachine({ ...place(), nodeTtlMs: cluster?.ttlMs ?? usualTimes.ttlMs }),
    // The outbox has one sample: whoever comes meanwhile waits for the same.
    tryChannels: () =>
      (trying ??= trySample({
        notices,
        channels: gateway.noticeChannels,
        now: clock.now(),
        wake: gateway.refresh,
      }).finally(() => (trying = null))),
    async backUp(file) {
      const data = place()
      await backups(() => backUpInThread(data, file))
    },
  }
}

const isOwn = (vendor: string): boolean => vendor !== sandboxVendor.name

function soldHere({ onSale, parts: { catalogue } }: Gateway): SoldHere {
  const offers = catalogue.onSale()
  return {
    models: offers.map(({ model }) => model.id),
    ownModels: offers.filter(({ routes }) => routes.some(({ vendor }) => isOwn(vendor))).length,
    vendors: onSale().vendors.filter(isOwn),
  }
}
