/**
 * The commands of operators that run beside the proxy: {@code top}, {@code reload}, {@code
 * explain}, {@code advise} and {@code fleet}. The door is {@link io.sluice.server.tool.Tools}.
 */
@NullMarked
package io.sluice.server.tool;

import org.jspecify.annotations.NullMarked;
