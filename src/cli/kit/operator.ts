import { userInfo } from 'node:os'
import type { Actor } from '../../trail/trail'
import { remoteSession } from './session'

/** Who types a command, here or elsewhere, as it is written beside what they change. */
export function operator(): Actor {
  const session = remoteSession()
  if (session !== null) return session.actor
  const { username, uid } = userInfo()
  // The user of a container often has no name.
  return `command:${username === 'unknown' ? uid : username}`
}
