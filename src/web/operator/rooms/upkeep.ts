/** Everything about the service itself: pages that come together, since they share most of their parts. */
export { ConnectionsPage } from '../pages/connections-page'
export { Health } from '../pages/health'
export { NoticeOutbox } from '../pages/notice-outbox'
export { OperatorsPage } from '../pages/operator-list'
export { ServiceSettings } from '../pages/service-settings'
export { Trail } from '../pages/trail'
