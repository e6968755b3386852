import { userInfo } from 'node:os'
import type { Actor } from '../../trail/trail'
import { remoteSession } from './session'

/** Actor of a command typed here or elsewhere, as written beside its changes. */
export function operator(): Actor {
  const session = remoteSession()
  if (session !== null) return session.actor
  const { username, uid } = userInfo()
  // The user of a container often has no name.
  return `command:${username === 'unknown' ? uid : username}`
}
