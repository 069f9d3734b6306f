-- Deliveries that are not tried again by themselves.

-- attempts counts the offers of a message to its reader, errors those since the last
-- redelivery that nothing proved; last_error is the reason of the last failure. dead_at is
-- when the delivery was given up, redelivered_at when it was taken up again, and dropped_at
-- when somebody put it aside for good; heir is the mailbox of the name that a forgotten
-- recipient had, for a redelivery.
ALTER TABLE deliveries ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN errors INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN last_error TEXT;
ALTER TABLE deliveries ADD COLUMN dead_at INTEGER;
ALTER TABLE deliveries ADD COLUMN redelivered_at INTEGER;
ALTER TABLE deliveries ADD COLUMN dropped_at INTEGER;
ALTER TABLE deliveries ADD COLUMN heir INTEGER;
CREATE INDEX dead ON deliveries (dead_at) WHERE dead_at IS NOT NULL AND dropped_at IS NULL;

-- The same for an answer that failed.
ALTER TABLE answer_deliveries ADD COLUMN dropped_at INTEGER;
