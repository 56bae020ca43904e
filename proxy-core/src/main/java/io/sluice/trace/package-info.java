/**
 * Foundation: the facts of a traced request, and the interface to its receiver. Knows no exporter.
 */
@NullMarked
package io.sluice.trace;

import org.jspecify.annotations.NullMarked;
