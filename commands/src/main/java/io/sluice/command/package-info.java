/** The common part of the command lines of all modules. */
@NullMarked
package io.sluice.command;

import org.jspecify.annotations.NullMarked;
