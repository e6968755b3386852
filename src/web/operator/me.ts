import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { OperatorRole } from '../../console/api/operator/operation-types'
import { ApiError, ask } from '../client'
import { enter, leave, queries } from '../queries'
import { door } from './operate'

/** Session of the operator who is signed in. */
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

/** The operator's session; null for nobody. */
export const useOperator = (): UseQueryResult<OperatorMe | null> =>
  useQuery({ queryKey: meKey, queryFn: readMe })

/** Takes the operator's session that the server answered with. */
export const setOperator = (who: OperatorMe): void => enter(meKey, who)

/** Refetches the operator's session: it may have ended. */
export const requestOperatorAgain = (): void => void queries.invalidateQueries({ queryKey: meKey })

/** Shows that no operator is signed in any more. */
export const forgetOperator = (): void => leave(meKey)

const order: readonly OperatorRole[] = ['viewer', 'staff', 'owner']

/** Whether the operator's role is high enough for an action of this role. */
export function useMay(): (least: OperatorRole) => boolean {
  const { data } = useOperator()
  return (least) =>
    data !== null && data !== undefined && order.indexOf(data.role) >= order.indexOf(least)
}
