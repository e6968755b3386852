import { wholeVendor, type VendorState } from '../../domain/vendor-state'
import type { MetricRegistry } from './metric-registry'

/** Shows vendors as they are known to be, read when somebody looks. */
export function showVendors(registry: MetricRegistry, states: () => readonly VendorState[]): void {
  registry.gauges(
    {
      name: 'chapar_vendor_up',
      help: 'Whether calls to a vendor can succeed: 0 while it is down, or none of its credentials serves.',
      labels: ['vendor'],
    },
    () => vendorsUp(states()),
  )
  registry.gauges(
    {
      name: 'chapar_vendor_credential_up',
      help: 'Whether a credential of ours serves: 0 while it is refused, or its account is empty.',
      labels: ['vendor', 'credential'],
    },
    () =>
      states()
        .filter(({ credential }) => credential !== wholeVendor)
        .map(({ vendor, credential, trouble }) => ({
          values: [vendor, credential],
          value: trouble === null ? 1 : 0,
        })),
  )
  registry.gauges(
    {
      name: 'chapar_vendor_balance_dollars',
      help: 'Dollars that an account at a vendor has left, where the vendor tells it in dollars.',
      labels: ['vendor', 'credential'],
    },
    () =>
      states().flatMap(({ vendor, credential, balance }) =>
        balance?.currency === 'USD'
          ? { values: [vendor, credential], value: Number(balance.amount) }
          : [],
      ),
  )
}

function vendorsUp(states: readonly VendorState[]) {
  return [...Map.groupBy(states, ({ vendor }) => vendor)].map(([vendor, each]) => {
    const credentials = each.filter(({ credential }) => credential !== wholeVendor)
    const isDown = each.some(({ trouble }) => trouble === 'down')
    const allFail = credentials.length > 0 && credentials.every(({ trouble }) => trouble !== null)
    return { values: [vendor], value: isDown || allFail ? 0 : 1 }
  })
}
