export { counted } from '../../admin/operations/command'
