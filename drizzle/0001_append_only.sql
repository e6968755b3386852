CREATE TRIGGER `transfers_no_update` BEFORE UPDATE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `transfers_no_delete` BEFORE DELETE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;
--> statement-breakpoint
INSERT INTO `accounts` (`id`, `name`, `status`, `verified`, `concurrency`, `requests_per_minute`, `max_request_kb`, `balance`, `created`) VALUES
  (-1, 'revenue', 'active', 1, 0, 0, 0, 0, 0),
  (-2, 'payments', 'active', 1, 0, 0, 0, 0, 0),
  (-3, 'adjustments', 'active', 1, 0, 0, 0, 0, 0);
--> statement-breakpoint
INSERT INTO `settings` (`key`, `value`) VALUES ('catalogue_version', '0');
