PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`endpoint` text NOT NULL,
	`model` text NOT NULL,
	`vendor` text,
	`vendor_model` text,
	`vendor_answer` text,
	`streamed` integer NOT NULL,
	`status` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`reasoning_tokens` integer NOT NULL,
	`units` text,
	`estimated` integer NOT NULL,
	`cost` integer NOT NULL,
	`held` integer NOT NULL,
	`owed` integer,
	`card_version` text NOT NULL,
	`error` text,
	`address` text NOT NULL,
	`created` integer NOT NULL,
	`latency_ms` integer,
	`first_byte_ms` integer,
	CONSTRAINT "requests_status" CHECK("__new_requests"."status" = 'pending' or "__new_requests"."status" = 'success' or "__new_requests"."status" = 'error' or "__new_requests"."status" = 'cancelled')
);
--> statement-breakpoint
INSERT INTO `__new_requests`("id", "account", "project", "key", "endpoint", "model", "vendor", "vendor_model", "vendor_answer", "streamed", "status", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "units", "estimated", "cost", "held", "owed", "card_version", "error", "address", "created", "latency_ms", "first_byte_ms") SELECT "id", "account", "project", "key", "endpoint", "model", "vendor", "vendor_model", "vendor_answer", "streamed", "status", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "units", "estimated", "cost", "held", "owed", "card_version", "error", "address", "created", "latency_ms", "first_byte_ms" FROM `requests`;--> statement-breakpoint
DROP TABLE `requests`;--> statement-breakpoint
ALTER TABLE `__new_requests` RENAME TO `requests`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `requests_pending` ON `requests` (`id`) WHERE "requests"."status" = 'pending';