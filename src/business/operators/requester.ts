import type { Actor } from '../../domain/audit-log'
import type { OperatorRole } from '../../domain/fields/operator-fields'

/** A command typed on the machine of the data, which may do everything. */
interface MachineRequester {
  readonly from: 'machine'
  readonly actor: Actor
  readonly role: 'owner'
}

/** An operator or a key of one, by HTTP or by a command from elsewhere. */
export interface RemoteRequester {
  readonly from: 'remote'
  /** As the trail names them. */
  readonly actor: Actor
  /** In force for this request. */
  readonly role: OperatorRole
  /** Operator whose rights are used; of a key its first maker, else the key itself. */
  readonly grantor: Actor
  readonly address: string
}

/** Requester of a change, and the door it came by: rules of the business depend on both. */
export type Requester = MachineRequester | RemoteRequester
