import { faultFields } from '../../gateway/observability/log'
import { migrationMs } from '../../business/data/maintenance'
import type { ChosenPorts } from './run-contract'
import type { RunParts } from './run-parts'
import { warmUp } from '../warm-up'
import { requestToRelease, requestToStop, hasEnded } from './succeed'

/** A step of the schema that lasts longer is not worth two processes: the one before ends first. */
const maxStepsMs = 1000
const lookMs = 100

/**
 * Has the process that serves give its data up to this one.
 * @returns its ports; null where there is none
 * @throws Error where it does not
 */
export async function releasedBy({
  folder,
  succeeds = null,
  log,
}: Pick<RunParts, 'folder' | 'succeeds' | 'log'>): Promise<ChosenPorts | null> {
  if (folder === null || succeeds === null) return null
  const stepsMs = migrationMs(folder)
  if (stepsMs <= maxStepsMs) {
    // Without it the first calls take longer.
    await warmUp().catch((fault: unknown) => log.warn('not warmed up', faultFields(fault)))
    await requestToRelease(succeeds)
    return succeeds.ports
  }
  await requestToStop(succeeds, Number.isFinite(stepsMs) ? Math.ceil(stepsMs / 1000) : null)
  while (!(await hasEnded(succeeds))) await Bun.sleep(lookMs)
  return succeeds.ports
}
