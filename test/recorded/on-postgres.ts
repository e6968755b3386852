/** Lines that are answered otherwise in a database than on a folder, and why. */
export const onPostgres: Readonly<Record<string, string>> = {
  'gateway test main': 'each try opens another payment at the bank',
  doctor: 'speaks of the server and of nodes',
  'nodes list': 'a folder has none',
  'bill check --vendor acme --month 2025-09 --file {bill.csv}':
    'fails there now and then, by a JSON Parse error whose cause is not known',
  'trail list': 'holds a line of a command that ran on the folder alone',
}
