/** Accounts and their groups: pages that come together, since they share most of their parts. */
export { GroupPage } from '../groups/group-page'
export { GroupsPage } from '../groups/groups-page'
export { AccountPage } from '../pages/account'
export { Accounts } from '../pages/accounts'
