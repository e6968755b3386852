import type { Clock } from '../../domain/clock'
import type { Directory } from '../../identity/directory'
import { refuseClosed } from './refuse-closed'
import type { Connection } from './database'
import { openMoveMoney } from './move-money'
import type { Rows } from './store-rows'

/** Money that a person moves: on disk before it is acknowledged, once per reference. */
export function openDeposit(connection: Connection, clock: Clock): Rows<Directory>['deposit'] {
  const moveMoney = openMoveMoney(connection, clock)
  return (movement) =>
    connection.transaction(() => {
      // An adjustment may still take out what came too late.
      if (movement.kind === 'topup') refuseClosed(connection, movement.account)
      const { balance, repeated } = moveMoney(movement)
      return { balance, repeated }
    }, 'durable')
}
