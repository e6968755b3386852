import type { EphemeralTerms } from '../../business/accounts/ephemeral-account'
import type { Log } from '../../gateway/observability/log'
import type { ServiceProfile } from '../../business/settings/service-profile'
import type { Discovery } from '../../gateway/vendors/discover'
import type { Config } from '../config'
import type { NextProgram } from './leave'
import type { SupervisorLink } from './node-process'
import type { RunNotes, Succession } from './run-contract'
import type { NotifyServiceManager } from './service-manager'
import type { ServerOptions } from '../listeners/server-contract'
import type { SharedDatabase } from '../cluster/shared-storage'

export interface RunParts {
  readonly config: Config
  readonly log: Log
  /** Null: everything in memory. */
  readonly folder: string | null
  /** One that is shared with other processes; null for that of the folder. */
  readonly database?: SharedDatabase | null
  readonly address: ServerOptions
  /** Of one of several node processes of this machine; null for a process that is alone here. */
  readonly supervisor?: SupervisorLink | null
  /** What the account of a gateway in memory may spend; null for one that keeps its accounts. */
  readonly ephemeral: EphemeralTerms | null
  readonly notes: RunNotes
  /** The program that may take the place of this process; null where none can. */
  readonly next?: NextProgram | null
  /** Tells the manager of services that began this process; nobody unless told. */
  readonly tellManager?: NotifyServiceManager
  /** Where the process leaves whose place this one takes; null for none. */
  readonly succeeds?: Succession | null
  /** Finds vendors that the environment or this machine offers. */
  discover(): Promise<Discovery>
  /** Every command in Markdown, for the guide. */
  describeCommands(): string
  /** What commands are to know of the configuration. */
  profileOf(discovery: Discovery): ServiceProfile
}
