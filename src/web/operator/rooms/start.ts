/** First steps and overview: pages that come together, since they share most of their parts. */
export { FirstSteps } from '../pages/first-steps'
export { OverviewPage } from '../pages/overview'
