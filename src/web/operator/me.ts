import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OperatorRole } from '../../console/api/operator/operation-types'
import { ApiError, ask } from '../client'
import { queries } from '../queries'
import { door } from './operate'

/** Who operates. */
export interface OperatorMe {
  readonly name: string
  readonly role: OperatorRole
}

const meKey = ['operator-me'] as const

async function readMe(): Promise<OperatorMe | null> {
  try {
    return await ask(door.me.get())
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 401) return null
    throw thrown
  }
}

/** Who is signed in as an operator; null for nobody. */
export const useOperator = (): UseQueryResult<OperatorMe | null> =>
  useQuery({ queryKey: meKey, queryFn: readMe })

export const setOperator = (who: OperatorMe): void => void queries.setQueryData(meKey, who)

/** Asks anew whether the session goes on. */
export const askOperatorAgain = (): void => void queries.invalidateQueries({ queryKey: meKey })

/** Forgets all that was read of whoever leaves. */
export function forgetOperator(): void {
  queries.setQueryData(meKey, null)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
}

const order: readonly OperatorRole[] = ['viewer', 'staff', 'owner']

/** Whether whoever is signed in may do what takes this role. */
export function useMay(): (least: OperatorRole) => boolean {
  const { data } = useOperator()
  return (least) =>
    data !== null && data !== undefined && order.indexOf(data.role) >= order.indexOf(least)
}
