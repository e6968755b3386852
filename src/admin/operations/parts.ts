import type { Clock } from '../../domain/clock'
import type { OperatorRole } from '../../operators/role'
import type { Settings } from '../../settings/registry'
import type { FixedSettings } from '../../settings/settings'
import type { Storage } from '../../storage/storage'
import type { Actor } from '../../trail/trail'
import type { Discovery } from '../../vendors/discover'

/** Who runs an operation. */
export interface OperatorIdentity {
  /** As the trail names them. */
  readonly actor: Actor
  readonly role: OperatorRole
  /** Where they are; null for a command on the machine itself. */
  readonly address: string | null
}

/** The service that serves, as operations need it besides what is kept. */
export interface LiveService {
  readonly clock: Clock
  /** In force by now. */
  readonly settings: Settings
  /** Settings that the environment fixes. */
  readonly fixed: FixedSettings
  readonly discovery: Pick<Discovery, 'found' | 'local'>
  /** Names of the service and its sister, and where they are reached. */
  readonly services: readonly ServiceBrand[]
  /** Where operators reach the console, without a path. */
  operatorUrl(): string
  /** Writes calls that have ended, so that reads find them. */
  flush(): void
  /** Takes in whatever an operation changed: called after each that may have. */
  refresh(): void
}

export interface ServiceBrand {
  readonly name: string
  /** What its keys begin with. */
  readonly keyPrefix: string
  readonly url: string | null
}

/** What an operation works on. */
export interface OperationParts {
  readonly operator: OperatorIdentity
  /** What changes by it is the operator's, in the trail too. */
  readonly storage: Storage
  readonly service: LiveService
}

/** Stores whose changes are an operator's. */
export const storageOf = (storage: Storage, { actor }: OperatorIdentity): Storage => ({
  ...storage,
  ...storage.by(actor),
})
