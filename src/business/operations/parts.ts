import type { GetReport } from '../bills/report-pages'
import type { Clock, Ms } from '../../domain/clock'
import type { NanoUsd } from '../../domain/money'
import { allowanceOf, type AllowanceSettings } from '../operators/allowance'
import type { Requester } from '../operators/requester'
import type { AuditReport } from '../../ledger/store'
import type { WatchedCalls } from '../../gateway/observability/live-calls'
import type { CardService } from '../payments/card-desk'
import type { OpenedPayment } from '../payments/card-gateway'
import type { Phone } from '../../domain/phone'
import type { Settings } from '../../gateway/settings/registry'
import type { FixedSettings } from '../settings/settings'
import type { NodeRow } from '../data/nodes'
import type { Storage } from '../data/storage'
import type { Actor } from '../../domain/audit-log'
import type { Discovery } from '../../gateway/vendors/discover'
import type { Finding } from './finding'
import { isSandboxOn } from '../catalogue/sandbox'
import type { PriceCheck } from '../pricing/price-check'
import type { TriedChannel } from './try-channels'
import type { RequestVendor } from '../catalogue/vendor-test'

/** Vendors that nobody added. */
interface FoundHere extends Pick<Discovery, 'found' | 'local'> {
  /** Names of those whose keys are not known to this process: they are where the gateway runs. */
  readonly keysElsewhere?: ReadonlySet<string>
}

/** Besides what is kept, what any process that opens the data can tell: a command, or a gateway that serves. */
export interface KeptService {
  readonly clock: Clock
  /** In force by now. */
  readonly settings: Settings
  /** Settings that the environment fixes. */
  readonly fixed: FixedSettings
  /** Vendors in the environment and on this machine, and names of those whose keys are elsewhere. */
  discovery(): Promise<FoundHere>
  /** Names of the service and its sister, and where they are reached. */
  readonly services: readonly ServiceBrand[]
  /** Of the data, from the root; null in memory. */
  readonly folder: string | null
  hashRedeemCode(code: string): string
  /** For trying: codes go to the terminal, and the test bank stands in for gateways. */
  readonly isDemo: boolean
  /** Where operators reach the console, without a path. */
  operatorUrl(): string
  /** Asks gateways of payments again; what is credited is whose storage it is. */
  settleDesk(storage: Storage): Pick<CardService, 'settle' | 'gatewayOf'>
  readonly trials: ConnectionTrials
  readonly askVendor: RequestVendor
  /** Reads a page of a vendor's report of what it bills. */
  readonly getReport: GetReport
  /** Longest wait of a new vendor for the first byte, unless told. */
  readonly vendorTimeoutMs: number
  /** Addresses of this service: it is no vendor of its own. */
  ownAddresses(): readonly string[]
  /**
   * Reads public prices, and proposes what they tell otherwise.
   * @param sources addresses and files; null for those that are set
   * @throws AdminError kept_in_memory | commands_busy | check_failed
   */
  checkPrices(actor: Actor, sources: readonly string[] | null): Promise<PriceCheck>
  /** Processes that serve from the same database; none where this one serves alone. */
  nodes(): Promise<readonly NodeRow[]>
  /**
   * Checks the machine of the data: files, the process that serves, and nodes beside it.
   * @throws AdminError kept_in_memory
   */
  examineMachine(): Promise<readonly Finding[]>
  /**
   * Recomputes every balance.
   * @throws AdminError kept_in_memory | commands_busy | check_failed
   */
  audit(): Promise<AuditReport>
  /** Sends a sample by each channel to operators, and waits for what becomes of it. */
  tryChannels(): Promise<readonly TriedChannel[]>
  /** Writes calls that have ended, so that reads find them. */
  flush(): Promise<void>
  /** Takes in whatever an operation changed: called after each that may have. */
  refresh(): Promise<void>
}

/** The gateway that serves, as operations need it besides what is kept. */
export interface LiveService extends KeptService {
  /** Names of the channels to operators. */
  readonly noticeChannels: readonly string[]
  /** Where customers reach the web app, without a path; '' for the address that this page has. */
  customerUrl(): string
  /** When this process began to serve. */
  readonly since: Ms
  /** Calls that run, what is set aside for them, and streams that are open, in all. */
  load(): Promise<{
    readonly runningCalls: number
    readonly held: NanoUsd
    readonly openStreams: number
  }>
  /** Who forwards requests and is not believed: all behind it count as one. */
  untrustedProxy(): { readonly address: string; readonly header: string } | null
  /** A name by which clients reach the service, where none is configured: nobody pays by card. */
  unnamedHost(): string | null
  readonly calls: WatchedCalls
  /**
   * Writes everything to a file.
   * @throws AdminError kept_in_memory | commands_busy | check_failed
   */
  backUp(file: string): Promise<void>
  onSale(): SoldHere
}

/** Catalogue of what is on sale. */
export interface SoldHere {
  /** Ids of models. */
  readonly models: readonly string[]
  /** How many are no models for trying. */
  readonly ownModels: number
  /** In use, without the program's own. */
  readonly vendors: readonly string[]
}

/** Tries what is set up outside, as it is kept. */
export interface ConnectionTrials {
  /**
   * Opens the smallest payment at a gateway.
   * @returns where a browser would come back to, besides
   * @throws AdminError gateway_not_found | gateway_refused
   */
  gateway(name: string): Promise<OpenedPayment & { readonly origin: string }>
  /** @throws AdminError sms_not_found | sms_refused */
  sms(name: string, phone: Phone): Promise<{ readonly code: string }>
  /** @throws AdminError mail_not_found | mail_refused */
  mail(to: string): Promise<{ readonly host: string }>
}

interface ServiceBrand {
  readonly name: string
  /** What its keys begin with. */
  readonly keyPrefix: string
  readonly url: string | null
}

/** Dependencies of operations. */
export interface OperationParts<Service extends KeptService = LiveService> {
  readonly requester: Requester
  /** What changes by it is the operator's, in the trail too. */
  readonly storage: Storage
  readonly service: Service
}

/** Dependencies of operations that the data alone answer. */
export type KeptParts = OperationParts<KeptService>

/** The service as functions of prices, models and vendors take it. */
export const cataloguePartsOf = async ({ storage, service }: KeptParts) => ({
  storage,
  discovery: await service.discovery(),
  sandbox: () => isSandboxOn(storage, service.fixed),
  now: service.clock.now(),
})

/** Stores whose changes are a requester's, within what they may give away. */
export const storageOf = (
  storage: Storage,
  requester: Requester,
  settings: AllowanceSettings,
): Storage => ({
  ...storage,
  ...storage.by(requester.actor, allowanceOf(requester, settings)),
})
