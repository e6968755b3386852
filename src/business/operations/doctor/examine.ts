import { entriesOf } from '../../catalogue/edit-model'
import { cataloguePartsOf, type KeptParts } from '../parts'
import { vendorsOf } from '../../data/service-parts'
import { checkModels, checkPriceSources, checkSalePrices } from './catalogue'
import type { Finding } from '../finding'
import { checkClock, checkLedger } from './ledger'
import { checkRotation } from './secrets'
import { checkVendors } from './vendors'

const nobody: ReadonlySet<string> = new Set()

/**
 * Checks the machine of the data, the ledger, prices and vendors.
 * @throws AdminError as the audit
 */
export async function examine(parts: KeptParts): Promise<readonly Finding[]> {
  const { storage, service } = parts
  await service.flush()
  const machine = await service.examineMachine()
  const catalogue = await cataloguePartsOf(parts)
  const isClockOff = machine.some(({ check }) => check === 'clock')
  const clock = await checkClock(storage, service.clock.now())
  return [
    ...machine,
    ...(isClockOff && clock.code === 'clock' ? [] : [clock]),
    ...(await checkRotation(storage.secrets)),
    ...checkLedger(await service.audit()),
    ...checkModels(await entriesOf(catalogue)),
    ...(await checkSalePrices(catalogue)),
    ...(await checkPriceSources(storage)),
    ...(await checkVendors({
      vendors: (await vendorsOf(catalogue)).filter(({ source }) => source !== 'builtin'),
      keysElsewhere: catalogue.discovery.keysElsewhere ?? nobody,
      states: await storage.vendorStates.all(),
      askVendor: service.askVendor,
    })),
  ]
}
