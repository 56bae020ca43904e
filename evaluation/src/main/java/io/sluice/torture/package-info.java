/**
 * Fault injection under load: clients read and write through Sluice, or directly, while nodes and
 * proxies are killed, paused and restarted. A checker judges the answers.
 */
@NullMarked
package io.sluice.torture;

import org.jspecify.annotations.NullMarked;
