import type { Ms } from './clock'
import type { AccountId, KeyId, ProjectId, RequestId } from './ids'
import type { EndpointName } from './model'
import type { NanoUsd } from './money'
import type { Units, Usage } from './usage'

/** Facts of a call when its money is held. Metadata only: never a prompt or an answer. */
export interface CallOpening {
  readonly id: RequestId
  readonly account: AccountId
  readonly project: ProjectId
  readonly key: KeyId
  readonly endpoint: EndpointName
  readonly model: string
  readonly streamed: boolean
  readonly address: string
  readonly created: Ms
  readonly cardVersion: string
}

/** Vendor cost of a call; customers never see it. */
export interface VendorCost {
  readonly amount: NanoUsd
  /** Number of the cost card that it is by; null where the vendor itself told the amount. */
  readonly card: number | null
  /** Vendor that bills it. */
  readonly vendor: string
  /** Counted by us, or billed although nothing was answered. */
  readonly estimated: boolean
}

/** Accrued cost of a running call. */
export type AccruedCost = Pick<
  CallEnding,
  'usage' | 'cost' | 'vendor' | 'vendorModel' | 'vendorCost'
>

/** Units that a vendor counted, where not all could be charged. */
export interface Counted {
  readonly units: Units
  /** It is more than the call can use at all, and not only more than there was money for. */
  readonly isBeyondPossible: boolean
}

/** Counted units with their price; the part not charged is the operator's. */
export interface Unpaid extends Counted {
  /** Full price of the counted units. */
  readonly cost: NanoUsd
}

/** Ending of a call. `pending` goes to one of these and never changes again. */
export interface CallEnding {
  readonly status: 'success' | 'error' | 'cancelled'
  readonly usage: Usage
  readonly cost: NanoUsd
  /** Vendor that answered; null when none did. */
  readonly vendor: string | null
  readonly vendorModel: string | null
  /** Where the vendor keeps the answer and a later request can go on from it, as `keptAnswer` writes it. */
  readonly vendorAnswer?: string
  /** Absent where all that was counted is charged. */
  readonly unpaid?: Unpaid
  /** Absent where nobody knows. */
  readonly vendorCost?: VendorCost
  /** Code of the error the client met. */
  readonly error: string | null
  readonly latencyMs: number
  readonly firstByteMs: number | null
}

/** An answer that a vendor keeps: its name of it, and whose of our credentials it is. */
interface KeptAnswer {
  readonly name: string
  /** Absent where the vendor had one alone. */
  readonly credential?: string
}

/** An answer's name as it stands on record: neither part has a space in it. */
export const keptAnswer = ({ name, credential }: KeptAnswer): string =>
  credential === undefined ? name : `${name} ${credential}`

/** Reads an answer's name as it stands on record. */
export function readKeptAnswer(text: string): KeptAnswer {
  const [name = '', credential] = text.split(' ')
  return credential === undefined ? { name } : { name, credential }
}
