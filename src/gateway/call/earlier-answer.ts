import type { ProjectId } from '../../domain/ids'
import { readKeptAnswer } from '../../domain/record'
import type { RecordedCall, Reports } from '../../domain/reports/report'

interface RecordedParts {
  readonly reports: Pick<Reports, 'call'>
  /** Calls that ended before it began, at any process of the service, are on record when it resolves. */
  recorded(): Promise<void>
}

/**
 * A call on record that has ended, or is known to run.
 * @param id of the request, or of its answer in any format
 * @param project of this project alone; null of any
 * @returns null when there is none
 */
export async function findCall(
  { reports, recorded }: RecordedParts,
  id: string,
  project: ProjectId | null,
): Promise<RecordedCall | null> {
  const request = requestIdOf(id)
  const found = await reports.call(request, project)
  if (found !== null && found.status !== 'pending') return found
  // It may still be on its way into the database.
  await recorded()
  return reports.call(request, project)
}

/** An answer in another format has the id of its request under a name of that format. */
const requestIdOf = (id: string): string => id.replace(/^(?:msg|resp)_/, 'req_')

/** An answer that its vendor keeps, so that a later request can go on from it. */
export interface EarlierAnswer {
  /** The vendor that keeps it: no other knows it. */
  readonly vendor: string
  /** Whose it is: nobody else can go on from it. */
  readonly project: ProjectId
  /** The vendor's name of it. */
  readonly name: string
  /** Whose of our credentials it is; absent where the vendor had one alone. */
  readonly credential?: string
  /** All tokens of it, which are paid again. */
  readonly tokens: number
}

/** An earlier answer, as its vendor knows it. @returns null when there is none that can be gone on from */
export async function findEarlierAnswer(
  parts: RecordedParts,
  id: string,
): Promise<EarlierAnswer | null> {
  const call = await findCall(parts, id, null)
  if (call === null || call.vendor === null || call.vendorAnswer === null) return null
  const { vendor, project, vendorAnswer, inputTokens, outputTokens } = call
  return { vendor, project, ...readKeptAnswer(vendorAnswer), tokens: inputTokens + outputTokens }
}
