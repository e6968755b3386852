import { userInfo } from 'node:os'

/** Who types commands here, as it is written beside what they change. */
export function operator(): `command:${string}` {
  const { username, uid } = userInfo()
  // The user of a container often has no name.
  return `command:${username === 'unknown' ? uid : username}`
}
