import type { Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import type { Storage } from '../data/storage'
import { AdminError } from '../operations/admin-error'

/**
 * Sends a notice again by every channel that gave it up.
 * @returns those channels
 * @throws AdminError notice_not_failed where none did, and where there is no such notice
 */
export async function retryNotice(
  { notices, looks }: Pick<Storage, 'notices' | 'looks'>,
  id: string,
  now: Ms,
): Promise<readonly string[]> {
  const channels = await notices.retry(id as NoticeId, now)
  if (channels.length === 0) throw new AdminError('notice_not_failed', { notice: id })
  await looks.record(`notice:${id}`, 'notice.retry')
  return channels
}
