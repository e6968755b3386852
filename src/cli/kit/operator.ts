import { userInfo } from 'node:os'
import type { Requester } from '../../business/operators/requester'
import type { Actor } from '../../domain/audit-log'

/** The user of this machine who typed the command. */
export function requester(): Requester {
  const { username, uid } = userInfo()
  // The user of a container often has no name.
  const name = username === 'unknown' ? uid : username
  return { from: 'machine', actor: `command:${name}`, role: 'owner' }
}

/** Actor of a command, as written beside its changes. */
export const operator = (): Actor => requester().actor
