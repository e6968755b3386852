import { finding, type Finding } from '../finding'
import { dayMs, systemClock, type Ms } from '../../../domain/clock'
import type { SecretStore } from '../../data/secrets/secret-store'

const ok = finding('ok')
const warn = finding('warn')
const check = 'secret.key'

/** After that, whoever still needs the old generation will hardly come any more. */
const maxUnfinishedDays = 90

/** Whether a rotation of the keys waits for somebody. */
export async function checkRotation(
  store: Pick<SecretStore, 'state' | 'inFile' | 'waitedFor'>,
  now: () => Ms = systemClock.now,
): Promise<readonly Finding[]> {
  const { number, since, before, next } = await store.state()
  const found = `generation ${number} is in use`
  if (next !== null) {
    const nodes = (await store.waitedFor()).map(({ node }) => node).join(', ')
    const unread = nodes === '' ? '' : `, and not read by nodes ${nodes}`
    const words = {
      check,
      found: `generation ${next.number} is made and not in use${unread}`,
      advice: 'bring the new secret.key to every machine, then chapar secret rotate',
    }
    return [warn('secrets_not_in_use', { next: next.number, nodes: nodes || '-' }, words)]
  }
  if (before !== null) {
    const days = Math.floor((now() - (since ?? now())) / dayMs)
    if (days < maxUnfinishedDays) return [ok('secrets', { generation: number }, { check, found })]
    const words = {
      check,
      found: `generation ${before.number} is still taken after ${days} days`,
      advice: 'chapar secret status tells what is left; chapar secret rotate --finish ends it',
    }
    return [warn('secrets_unfinished', { before: before.number, days }, words)]
  }
  const left = (await store.inFile()).filter((each) => each !== number).join(', ')
  if (left === '') return [ok('secrets', { generation: number }, { check, found })]
  const words = {
    check,
    found: `generation ${left} is in the file of this machine still, and not taken any more`,
    advice: 'chapar secret rotate --finish here, or copy the new secret.key to this machine',
  }
  return [warn('secrets_in_file', { generations: left }, words)]
}
