import { checkStaffAmount } from '../../admin/staff-amount'
import type { NanoUsd } from '../../domain/money'
import { registry } from '../../settings/registry'
import { settingIn } from '../../settings/settings'
import type { Storage } from '../../storage/storage'
import { fixedFor } from '../commands/configured-service'
import { withStorage, type CommonOptions } from '../kit/leaf'
import { remoteSession } from '../kit/session'

type Amount = NanoUsd | null

/**
 * Bounds what staff moves by a command from elsewhere; whoever types on the machine itself has no bound.
 * @param amountIn what would be moved; null where the command refuses by itself
 * @throws AdminError amount_above_staff
 */
export async function checkRemoteAmount(
  options: CommonOptions,
  amountIn: (storage: Storage) => Promise<Amount>,
): Promise<void> {
  const session = remoteSession()
  if (session === null) return
  await withStorage(options, async (storage) => {
    const amount = await amountIn(storage)
    const fixed = await fixedFor(storage, options.data)
    const { text } = settingIn('staffAmount', fixed, await storage.settings.all())
    if (amount !== null)
      checkStaffAmount(session.role, registry.staffAmount.type.parse(text), amount)
  })
}
