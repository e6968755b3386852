/** Lines that are answered otherwise in a database than on a folder, and why. */
export const onPostgres: Readonly<Record<string, string>> = {
  'gateway test main': 'each try opens another payment at the bank',
  doctor: 'speaks of the server and of nodes',
  'nodes list': 'a folder has none',
  'trail list': 'holds a line of a command that ran on the folder alone',
}
