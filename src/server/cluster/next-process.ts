import type { Caller } from '../../domain/caller'
import type { AccountId, RequestId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import {
  answersBy,
  type HandedMoney,
  type HandedCall,
  type MoneyAuthority,
} from '../../ledger/handover'
import type { LedgerStore } from '../../ledger/store'
import type { LimitAuthority, LimitsState, SlotsState } from '../../gateway/limits/handover'
import type { Allowance } from '../../gateway/limits/limits'
import type { BlockingRequest } from './blocking-ask'
import { requestAt } from './private-door'

/** Calls and limits of a process that leaves, while it still decides about them. */
export interface Handed {
  readonly calls: readonly HandedCall[]
  readonly limits: LimitsState
}

/** Changes since, once the process that serves decides: little data, so that a blocking question is answered at once. */
export interface HandedSince {
  readonly calls: readonly HandedCall[]
  readonly slots: SlotsState
}

/** Questions that the process that serves answers to one that leaves. */
export type ServingQuestion = keyof MoneyAuthority | keyof LimitAuthority

/** A whole commit, or a question that waits for one. */
const maxAnswerMs = 30_000

interface NextParts {
  /** Where the process that serves answers. */
  readonly socket: string
  readonly askBlocking: BlockingRequest
  /** Writes the batch there, or here where that process never served. */
  readonly commit: LedgerStore['commit']
}

/** Ledger and limits of the process that serves, for one that leaves. */
export function openNextProcess({ socket, askBlocking: requestBlocking, commit }: NextParts): {
  readonly money: MoneyAuthority
  readonly limits: LimitAuthority
} {
  const ask = async <Of>(question: ServingQuestion, ...given: readonly unknown[]): Promise<Of> => {
    try {
      return (await requestAt(socket, question, given, maxAnswerMs)) as Of
    } catch (cause) {
      throw isGatewayError(cause) ? cause : new GatewayError('gateway_error', {}, { cause })
    }
  }
  return {
    money: {
      ...answersBy(ask),
      commit,
      grow(call: RequestId, by: NanoUsd, caller: Caller) {
        try {
          requestBlocking(socket, 'grow', [call, by, caller])
        } catch (cause) {
          throw isGatewayError(cause) ? cause : new GatewayError('gateway_error', {}, { cause })
        }
      },
      lower(call, by) {
        try {
          requestBlocking(socket, 'lower', [call, by])
        } catch {
          // What is held too long is let go with the call.
        }
      },
      chargeable(call, cost) {
        try {
          return requestBlocking(socket, 'chargeable', [call, cost]) as NanoUsd
        } catch {
          return null
        }
      },
      hold: (request) => ask<HandedMoney>('hold', request),
    },
    limits: {
      takeAddress: (address) => ask('takeAddress', address),
      takeAttempt: (blocks) => ask('takeAttempt', blocks),
      forgiveAttempt: (blocks) => ask('forgiveAttempt', blocks),
      takeSlot: (caller) => ask('takeSlot', caller),
      leaveSlot: (account) => ask('leaveSlot', account),
      takeRequest: (caller) => ask<Allowance>('takeRequest', caller),
      takeCount: (caller) => ask('takeCount', caller),
      takeOperatorRequest: (key) => ask<Allowance>('takeOperatorRequest', key),
    },
  }
}

/** Writes a batch at the process that serves. */
export async function commitAt(
  socket: string,
  ...batch: Parameters<LedgerStore['commit']>
): ReturnType<LedgerStore['commit']> {
  const balances = await requestAt(socket, 'commit', batch, maxAnswerMs)
  return new Map(balances as readonly (readonly [AccountId, NanoUsd])[])
}
