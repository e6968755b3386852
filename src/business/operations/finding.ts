/** Everything that the doctor may find. Its words are the command's in English, the console's in Persian. */
export const findingCodes = [
  'folder_missing',
  'database_missing',
  'database_gone',
  'folder_unwritable',
  'folder_private',
  'folder_open',
  'spool_foreign',
  'spool_damaged',
  'gateway_serves',
  'gateway_idle',
  'proxy_untrusted',
  'public_url_missing',
  'demo',
  'root',
  'disk',
  'disk_low',
  'open_files',
  'open_files_few',
  'tcp_migrate',
  'tcp_migrate_off',
  'tcp_migrate_missing',
  'postgres',
  'postgres_unsafe',
  'postgres_connections_few',
  'nodes',
  'nodes_silent',
  'nodes_versions',
  'nodes_older',
  'database_newer',
  'clock',
  'clock_past',
  'clock_behind',
  'clock_ahead_of_database',
  'clock_behind_database',
  'secrets',
  'secrets_unfinished',
  'secrets_not_in_use',
  'secrets_in_file',
  'ledger',
  'ledger_differs',
  'spool',
  'spool_waits',
  'models',
  'models_none',
  'models_sandbox_only',
  'sandbox_on_sale',
  'fallbacks_gone',
  'prices_missing',
  'prices_silent',
  'below_cost',
  'group_below_cost',
  'price_changes',
  'public_prices',
  'public_prices_failed',
  'vendor_off',
  'vendor_not_asked',
  'vendor_reached',
  'vendor_fails',
  'vendor_empty',
  'vendor_refuses_key',
  'vendor_out_of_money',
  'vendor_down',
] as const
export type FindingCode = (typeof findingCodes)[number]

/** A finding as programs and other languages read it: what it is, and the facts of it. */
interface FoundFact {
  readonly code: FindingCode
  readonly facts: Readonly<Record<string, string | number>>
}

export const findingStates = ['ok', 'warn', 'fail'] as const

/** Finding of one check. `fail`: it does not work, or money is in danger; `warn`: it may not for long. */
export interface Finding extends FoundFact {
  readonly check: string
  readonly state: (typeof findingStates)[number]
  readonly found: string
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null
}

/** Words of a finding. */
interface Words {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

/** Makes findings of one state. */
export const finding =
  (state: Finding['state']) =>
  (code: FindingCode, facts: Finding['facts'], { check, found, advice }: Words): Finding => ({
    check,
    state,
    code,
    facts,
    found,
    advice: advice ?? null,
  })
