/**
 * Step 5 of 8, before the queues: what operators allow to which clients. Rules are values. A
 * request's rule is found by comparison, and its limits are counted here.
 */
@NullMarked
package io.sluice.decide.rule;

import org.jspecify.annotations.NullMarked;
